/* Tabs, the menu of a narrow window, and the list of snapshots, which has a page of its own. */
(() => {
  'use strict';

  const LINKS = '.tabbable > .nav a[data-bs-toggle="tab"]';

  function show(link) {
    const panes = document.getElementById(link.hash.slice(1))?.parentNode;
    if (!panes) {
      return;
    }
    link.closest('.nav').querySelectorAll('a').forEach((it) => {
      it.classList.toggle('active', it === link);
      it.setAttribute('aria-selected', it === link);
    });
    [...panes.children].forEach((it) => it.classList.toggle('active', `#${it.id}` === link.hash));
  }

  function showByLocation() {
    [...document.querySelectorAll(LINKS)].filter((it) => it.hash === location.hash).forEach(show);
  }

  function showTabs() {
    document.body.classList.add('tabs', 'scripted');
    document.querySelectorAll('.tabbable').forEach((it) => {
      const links = [...it.querySelectorAll(':scope > .nav a[data-bs-toggle="tab"]')];
      // Some lists mark no tab as the one that is shown at first.
      const first = links.find((link) => link.classList.contains('active')) || links[0];
      if (first) {
        show(first);
      }
      links.forEach((link) =>
        link.addEventListener('click', (event) => {
          event.preventDefault();
          history.replaceState(null, '', link.hash);
          show(link);
        }),
      );
    });
    showByLocation();
    window.addEventListener('hashchange', showByLocation);
  }

  function menu() {
    document.querySelectorAll('[data-bs-toggle="collapse"]').forEach((button) => {
      button.setAttribute('aria-label', 'Menu');
      button.addEventListener('click', () =>
        document
          .querySelectorAll(button.dataset.bsTarget)
          .forEach((it) => button.setAttribute('aria-expanded', it.classList.toggle('show'))),
      );
    });
    document
      .querySelectorAll('[data-bs-toggle="dropdown"]')
      .forEach((it) => it.addEventListener('click', (event) => event.preventDefault()));
  }

  async function snapshots() {
    const pane = document.getElementById('tab_userSnapshots');
    if (!pane) {
      return;
    }
    try {
      const response = await fetch('/userSnapshots.jsp');
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      pane.replaceChildren(...page.body.childNodes);
    } catch (e) {
      pane.textContent = `The list of snapshots could not be read: ${e.message}`;
    }
  }

  $(document).ready(() => {
    showTabs();
    menu();
    snapshots();
  });
})();

// Runs before the scripts of a page and keeps each name that they read of the operator's JSON. A
// name that the JSON lacks is no error to a script: it shows "undefined" or leaves a part out.
(() => {
  const reads = new Set();
  const names = new Set();

  /** The place of a part; all elements of a list have the same one. */
  const place = (of, whole, name) => Array.isArray(whole) ? `${of}[]` : `${of}.${name}`;

  const addNames = (whole, of) => {
    if (typeof whole !== "object" || whole === null) {
      return;
    }
    for (const [name, part] of Object.entries(whole)) {
      const at = place(of, whole, name);
      if (!Array.isArray(whole)) {
        names.add(at);
      }
      addNames(part, at);
    }
  };

  const isOfEachList = (name) => name in Array.prototype || /^[0-9]+$/.test(name);

  const read = (whole, of, name) => {
    if (typeof name === "string" && !(Array.isArray(whole) && isOfEachList(name))) {
      reads.add(`${of}.${name}`);
    }
  };

  const watched = (whole, of) =>
    typeof whole !== "object" || whole === null ? whole : new Proxy(whole, {
      get: (target, name) => {
        read(target, of, name);
        return watched(target[name], place(of, target, name));
      },
      has: (target, name) => {
        read(target, of, name);
        return name in target;
      },
      getOwnPropertyDescriptor: (target, name) => {
        read(target, of, name);
        return Object.getOwnPropertyDescriptor(target, name);
      },
    });

  const view = (value, name) => {
    addNames(value, name);
    // `await` looks for it in each object.
    names.add(`${name}.then`);
    return watched(value, name);
  };

  const viewAt = (url) => {
    const [, , , namespace, , part] = new URL(url).pathname.split("/");
    return part ?? (namespace ? "cluster" : "list");
  };

  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    return view(await json.call(this), viewAt(this.url));
  };

  // The response to a what-if question alone is read as a text first.
  const { parse } = JSON;
  JSON.parse = (text) => view(parse(text), "what-if");

  globalThis.readsOfPage = () => ({ reads: [...reads], names: [...names] });
})();

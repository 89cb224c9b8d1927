// Numbers and times for people.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Bytes in the largest unit that leaves no more than four digits. */
export const bytes = (count) => {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
};

/** A share of 1 in percent. */
export const percent = (share) => {
  const value = share * 100;
  const digits = value === 0 || value >= 99.95 ? 0 : value < 1 ? 2 : 1;
  return `${value.toFixed(digits)} %`;
};

/** The same on an axis, where a round number needs no digits. */
export const roundPercent = (share) => `${Number((share * 100).toPrecision(3))} %`;

/** Seconds as 41 s, 6 min or 3 h. */
export const seconds = (count) => {
  if (count < 10) {
    return `${count.toFixed(1)} s`;
  }
  if (count < 120) {
    return `${Math.round(count)} s`;
  }
  return count < 7200 ? `${Math.round(count / 60)} min` : count < 172800
    ? `${Math.round(count / 3600)} h` : `${Math.round(count / 86400)} d`;
};

/** How long before `now`, in milliseconds, a time was; the text itself where it is no time. */
export const ago = (time, now) => {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time ?? "" : seconds(Math.max(1, Math.round((now - at) / 1000)));
};

/** A time of day; the text itself where it is no time. */
export const clock = (time) => {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time ?? "" : at.toLocaleTimeString([], { hour12: false });
};

/** A group's name; the default group has none. */
export const group = (name) => name || "default";

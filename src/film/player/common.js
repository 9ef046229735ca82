'use strict';
// What the player and the live page share.

const byId = (id) => document.getElementById(id);

/** The bytes of a text: packed by gzip, in base64. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

const GROUPS = new Intl.NumberFormat('en');

/** A count with its digits in groups of three. */
const grouped = (count) => GROUPS.format(count).replaceAll(',', '\u2009');

/** A number with two digits, or as a power of ten if that is shorter. */
const short = (number) => {
  const size = Math.abs(number);
  return size === 0 || (size >= 0.001 && size < 1e4) ? String(Number(number.toPrecision(2))) : number.toExponential(1);
};

'use strict';
// What the player and the live page share.

const byId = (id) => document.getElementById(id);

/** The bytes of a text: packed by gzip, in base64. */
function unpack(text) {
  return unzip(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}

function unzip(packed) {
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The library of a page: packed by gzip, 13 bits in two letters of 91 (src/live/pack). */
function unpackLibrary() {
  const text = byId('wasm').textContent.trim();
  const letters = [...Array(94).keys()].map((i) => String.fromCharCode(33 + i)).filter((letter) => !'.<>'.includes(letter));
  const values = new Uint8Array(127);
  letters.forEach((letter, value) => { values[letter.charCodeAt(0)] = value; });
  const bytes = new Uint8Array(Math.ceil((text.length * 13) / 16));
  let [length, held, bits] = [0, 0, 0];
  for (let i = 0; i < text.length; i += 2) {
    const first = values[text.charCodeAt(i)];
    // A single letter at the end has six bits.
    const isPair = i + 1 < text.length;
    held |= (isPair ? 91 * first + values[text.charCodeAt(i + 1)] : first) << bits;
    for (bits += isPair ? 13 : 6; bits >= 8; bits -= 8) {
      bytes[length] = held & 255;
      length += 1;
      held >>>= 8;
    }
  }
  return unzip(bytes.subarray(0, length));
}

/** A text packed by gzip, in base64 with characters that links may have. */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Most bytes of a link's programs once unpacked, as the library takes of one. */
const MOST_TEXT = 1e5;

/** A text packed like this, unless it is too long. */
async function unpackText(letters) {
  const packed = letters.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  for (let text = '', length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text;
    length += value.length;
    if (length > MOST_TEXT) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const GROUPS = new Intl.NumberFormat('en');

/** A count with its digits in groups of three. */
const grouped = (count) => GROUPS.format(count).replaceAll(',', '\u2009');

/** A number with two digits, or as a power of ten if that is shorter. */
const short = (number) => {
  const size = Math.abs(number);
  return size === 0 || (size >= 0.001 && size < 1e4) ? String(Number(number.toPrecision(2))) : number.toExponential(1);
};

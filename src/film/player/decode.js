'use strict';
// A film as it lies in the page, made into objects: a header of JSON, and a blob that holds every
// float as its 32 bits, so that infinities, NaN and the sign of zero survive.

const MAGIC = 'fragfilm';
const VERSION = 6;

class BadFilm extends Error {}

/** The film of a page's element: base64 of the container, packed by gzip. */
async function decodeElement(element) {
  const text = atob(element.textContent.trim());
  const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return decodeContainer(await new Response(stream).arrayBuffer());
}

/** The film of an unpacked container. */
function decodeContainer(buffer) {
  const view = new DataView(buffer);
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, MAGIC.length));
  if (magic !== MAGIC) throw new BadFilm('This is not a film.');
  if (view.getUint32(8, true) !== VERSION) {
    throw new BadFilm('This film is of another version: record it again.');
  }
  const length = view.getUint32(12, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, length)));
  return new Film(header, new Float32Array(buffer, 16 + length));
}

/** A recorded run. */
class Film {
  constructor(header, floats) {
    Object.assign(this, header);
    this.floats = floats;
    // Indices of the events that are passes: a film is stepped through pass by pass.
    this.passes = [];
    this.scenes = [{ title: '', first: 0 }];
    this.events.forEach((event, index) => {
      if (event.kind === 'pass') {
        fillIn(event, this.calls[event.call]);
        this.passes.push(index);
      }
      if (event.kind === 'scene') this.scenes.push({ title: event.title, first: this.passes.length });
    });
    // Without passes of its own before the first scene, the unnamed one is dropped.
    if (this.scenes.length > 1 && this.scenes[1].first === 0) this.scenes.shift();
    this.totals = runningTotals(this);
    this.peaks = peaks(this);
  }

  /** The floats of a span. */
  span([first, count]) {
    return this.floats.subarray(first, first + count);
  }

  /** Their bits. */
  bits([first, count]) {
    return new Uint32Array(this.floats.buffer, this.floats.byteOffset + 4 * first, count);
  }

  /** The pass of this number, counted from one. */
  pass(number) {
    return this.events[this.passes[number - 1]];
  }

  /** Events that have happened once so many passes are done; before the first, all that leads to it. */
  eventsUpTo(passes) {
    if (passes > 0) return this.passes[passes - 1] + 1;
    return this.passes.length > 0 ? this.passes[0] : this.events.length;
  }

  /** The number of the scene that a pass (counted from one) belongs to. */
  sceneOf(passes) {
    let scene = 0;
    while (scene + 1 < this.scenes.length && this.scenes[scene + 1].first < Math.max(passes, 1)) {
      scene += 1;
    }
    return scene;
  }

  /** The last pass of a scene. */
  lastOf(scene) {
    return scene + 1 < this.scenes.length ? this.scenes[scene + 1].first : this.passes.length;
  }
}

/** Makes a pass of a call, its constants and what was seen of it. */
function fillIn(event, call) {
  let [at] = event.constants;
  const constants = call.constants.map(([name, count]) => {
    at += count;
    return [name, [at - count, count]];
  });
  Object.assign(event, call, { constants: Object.fromEntries(constants) });
  const { part, values: [first, count] } = event.seen;
  event.seen = { part, hash: [first, 2], peak: [first + 2, 4], sampled: [first + 6, count - 6] };
}

const SUMMED = ['fragments', 'tuples', 'fetches', 'bytes_read', 'bytes_written', 'target_switches',
  'buffer_switches', 'context_switches', 'program_switches'];

/** The ledger after 0, 1, … passes. The sums are all that is done here: the numbers are recorded. */
function runningTotals(film) {
  const zero = { passes: 0, uploads: 0, bytes_uploaded: 0, read_backs: 0, texels_read: 0, counts: 0,
    seconds: film.cards.map(() => 0), switching: film.cards.map(() => 0) };
  for (const name of SUMMED) zero[name] = 0;
  const totals = [];
  let now = zero;
  for (const event of film.events) {
    if (event.kind === 'pass' && totals.length === 0) totals.push(now);
    now = { ...now };
    addEvent(now, event, film);
    if (event.kind === 'pass') totals.push(now);
    else if (totals.length > 0) totals[totals.length - 1] = now;
  }
  return totals.length > 0 ? totals : [now];
}

function addEvent(total, event, film) {
  const upload = (bytes) => {
    total.uploads += 1;
    total.bytes_uploaded += bytes;
  };
  if (event.kind === 'upload') upload(event.data[1] * bytesOfChannel(film.streams[event.stream]));
  if (event.kind === 'geometry') upload(event.bytes);
  if (event.kind === 'count') total.counts += 1;
  if (event.kind === 'read') {
    total.read_backs += 1;
    total.texels_read += event.rectangle[2] * event.rectangle[3];
    total.context_switches += event.context_switches;
  }
  if (event.kind !== 'pass') return;
  const cost = film.costs[event.cost];
  total.passes += 1;
  for (const name of SUMMED) total[name] += cost[name] || 0;
  total.seconds = total.seconds.map((sum, card) => sum + cost.seconds[card]);
  total.switching = total.switching.map((sum, card) => sum + cost.switching[card]);
}

function bytesOfChannel(stream) {
  return { RGBA8: 1 }[stream.format] || (stream.format.endsWith('16F') ? 2 : 4);
}

/** The largest recorded value of each stream, by channel: the range of a scale that stays fixed. */
function peaks(film) {
  const largest = film.streams.map(() => [0, 0, 0, 0]);
  const raise = (stream, channel, value) => {
    const size = Math.abs(value);
    if (size < 1e37 && size > largest[stream][channel]) largest[stream][channel] = size;
  };
  for (const event of film.events) {
    if (event.kind === 'pass') {
      film.span(event.seen.peak).forEach((value, channel) => raise(event.target, channel, value));
    } else if (event.kind === 'upload' || event.kind === 'outside') {
      const { channels } = film.streams[event.stream];
      film.span(event.data).forEach((value, i) => raise(event.stream, i % channels, value));
    } else if (event.kind === 'fill') {
      film.span(event.value).forEach((value, channel) => raise(event.stream, channel, value));
    }
  }
  return largest;
}

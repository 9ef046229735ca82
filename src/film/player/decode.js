'use strict';
// A film as it is in the page, made into objects: the trace as JSON, and the floats as their 32 bits, so
// that infinities, NaN and the sign of zero survive.

const VERSION = 9;

class BadFilm extends Error {}

/** The film of a page's element: trace and floats, each packed by gzip and in base64. */
async function decodeElement(element) {
  if (!('DecompressionStream' in window)) {
    throw new BadFilm('This browser cannot unpack gzip (DecompressionStream). Chrome 80, Firefox 113 and Safari 16.4 can.');
  }
  let unpacked;
  try {
    unpacked = await Promise.all(element.textContent.trim().split('.').map(unpack));
  } catch {
    // The checksum of gzip, or a letter that is not one of base64.
    throw new BadFilm('This page is damaged. Fetch or record it again.');
  }
  return decodeFilm(...unpacked);
}

/** The film of unpacked bytes. */
function decodeFilm(trace, floats) {
  const header = JSON.parse(new TextDecoder().decode(trace));
  if (header.version !== VERSION) {
    throw new BadFilm('This film has another version. Record it again.');
  }
  return new Film(header, new Float32Array(floats));
}

/** A recorded run. */
class Film {
  constructor(header, floats) {
    Object.assign(this, header);
    this.floats = floats;
    /** Indices of the events that are passes. */
    this.passes = [];
    this.events.forEach((event, index) => {
      if (event.kind !== 'pass') return;
      const call = this.calls[event.call];
      fillIn(event, call, this.streams[call.target]);
      this.passes.push(index);
      event.number = this.passes.length;
    });
    this.scenes = scenesOf(this);
    this.stops = stopsOf(this);
    this.totals = runningTotals(this);
    this.totalsOfScenes = totalsOfScenes(this);
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

  /** The pass of this number, counted from one; if there are not so many, the last one. */
  pass(number) {
    return this.events[this.passes[Math.min(number, this.passes.length) - 1]];
  }

  /** The number of the stop at which so many passes are done; if there are not so many, of the last one. */
  stopOf(passes) {
    const found = this.stops.findIndex((stop) => stop.passes >= passes);
    return found >= 0 ? found : this.stops.length - 1;
  }

  /** The streams that events of these kinds are about at a stop. */
  touched({ from, to }, ...kinds) {
    const events = this.events.slice(from, to).filter(({ kind }) => kinds.includes(kind));
    return events.map(({ stream }) => stream);
  }

  /** The first and the last stop of a scene; behind the last scene, the last stop of all. */
  stopsIn(scene) {
    const first = this.stops.findIndex((stop) => stop.scene >= scene);
    const next = this.stops.findIndex((stop) => stop.scene > scene);
    const last = this.stops.length - 1;
    return [first >= 0 ? first : last, next >= 0 ? next - 1 : last];
  }
}

/**
 * The scenes: their titles, and which events are theirs.
 * @param {Film} film
 */
function scenesOf({ events, passes }) {
  const scenes = [{ title: '', from: 0 }];
  events.forEach(({ kind, title }, from) => {
    if (kind === 'scene') scenes.push({ title, from });
  });
  // What leads to the first scene belongs to it, unless a pass is among that.
  if (scenes.length > 1 && !(passes[0] < scenes[1].from)) {
    scenes.shift();
    scenes[0].from = 0;
  }
  scenes.forEach((scene, i) => {
    scene.to = i + 1 < scenes.length ? scenes[i + 1].from : events.length;
  });
  return scenes;
}

/**
 * Where one can stop: before the first pass, after each pass, and where a scene has no pass, after what
 * else it did. Of each stop the `scene`, the event that is its `pass` (or none), how many `passes` are done,
 * the events that are its own (`from`, `to`) and how many of all have happened (`events`).
 */
function stopsOf(film) {
  const stops = [];
  let done = 0;
  film.scenes.forEach(({ from, to }, scene) => {
    const passes = [];
    while (film.passes[done + passes.length] < to) passes.push(film.passes[done + passes.length]);
    if (passes.length === 0) {
      stops.push({ scene, pass: null, passes: done, from, to, events: beforeFreed(film, from, to) });
    } else if (stops.length === 0) {
      stops.push({ scene, pass: null, passes: 0, from, to: passes[0], events: passes[0] });
    }
    passes.forEach((pass, i) => {
      const begins = i === 0 && stops[stops.length - 1].to <= from ? from : pass;
      const ends = i + 1 < passes.length ? passes[i + 1] : to;
      done += 1;
      stops.push({ scene, pass, passes: done, from: begins, to: ends, events: pass + 1 });
    });
  });
  return stops;
}

/** The events up to where nothing but freeing follows. */
function beforeFreed({ events }, from, to) {
  let end = to;
  while (end > from && events[end - 1].kind === 'free') end -= 1;
  return end;
}

/** Makes a pass of a call, its constants and what was recorded of its target: where in the floats. */
function fillIn(event, call, { channels }) {
  let [at] = event.values;
  const next = (count) => {
    at += count;
    return [at - count, count];
  };
  const constants = call.constants.map(([name, count]) => [name, next(count)]);
  Object.assign(event, call, { constants: Object.fromEntries(constants) });
  event.hash = next(2);
  event.peak = next(channels);
  event.samples = next(event.values[0] + event.values[1] - at);
}

const SUMMED = ['fragments', 'tuples', 'fetches', 'bytes_read', 'bytes_written', 'target_switches',
  'buffer_switches', 'context_switches', 'program_switches'];

/** The ledger at each stop. The sums are all that is done here: the numbers are recorded. */
function runningTotals(film) {
  const zero = { passes: 0, uploads: 0, bytes_uploaded: 0, read_backs: 0, texels_read: 0, counts: 0,
    seconds: film.cards.map(() => 0), switching: film.cards.map(() => 0) };
  for (const name of SUMMED) zero[name] = 0;
  let now = zero;
  return film.stops.map(({ from, to }) => {
    now = { ...now };
    for (const event of film.events.slice(from, to)) addEvent(now, event, film);
    return now;
  });
}

/**
 * The same, counted from the beginning of each scene.
 * @param {Film} film
 */
function totalsOfScenes({ stops, totals }) {
  let before = null;
  const less = (sum, start) => (Array.isArray(sum) ? sum.map((one, i) => one - start[i]) : sum - start);
  return totals.map((total, i) => {
    if (i > 0 && stops[i].scene !== stops[i - 1].scene) before = totals[i - 1];
    return before === null ? total
      : Object.fromEntries(Object.entries(total).map(([name, sum]) => [name, less(sum, before[name])]));
  });
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

/**
 * What the CPU did or learnt at a stop, as sentences: of one without a pass, also what it wrote. After an edit, `remain`
 * is the number of fragments that are not discarded now. `valueOf` is asked for the record that a read of one record found.
 */
function toldOf(film, stop, remain = null, valueOf = null) {
  const named = (...kinds) => {
    const labels = [...new Set(film.touched(stop, ...kinds).map((stream) => film.streams[stream].label))];
    return labels.length > 4 ? [...labels.slice(0, 3), `${labels.length - 3} more`] : labels;
  };
  const told = [];
  const written = stop.pass === null ? named('upload', 'fill', 'outside') : [];
  if (written.length > 0) told.push(`The CPU wrote ${written.join(', ')}.`);
  const read = named('read');
  const [single] = film.events.slice(stop.from, stop.to).filter(({ kind, rectangle }) =>
    kind === 'read' && rectangle[2] * rectangle[3] === 1);
  const value = read.length === 1 && single && valueOf ? valueOf(single) : '';
  if (read.length > 0) told.push(`The CPU read ${read.join(', ')}${value && `: ${value}`}.`);
  for (const { kind, survivors } of film.events.slice(stop.from, stop.to)) {
    if (kind !== 'count') continue;
    told.push(remain === null ? `An occlusion query counted ${survivors} remaining fragments.`
      : `${remain} fragments remain now; an occlusion query counted ${survivors} in the recording.`);
  }
  return told.join(' ');
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
      film.span(event.peak).forEach((value, channel) => raise(event.target, channel, value));
    } else if (event.kind === 'upload' || event.kind === 'outside') {
      const { channels } = film.streams[event.stream];
      film.span(event.data).forEach((value, i) => raise(event.stream, i % channels, value));
    } else if (event.kind === 'fill') {
      film.span(event.value).forEach((value, channel) => raise(event.stream, channel, value));
    }
  }
  return largest;
}

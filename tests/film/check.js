// What the tests do in a browser: compile every program, replay films pass by pass against all that
// was recorded, and see whether planted faults are noticed. Read together with the player's scripts.

/** The words of an element: base64 of bytes, which need not begin at a word of anything. */
function bytesOf(id) {
  const text = document.getElementById(id).textContent;
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
}

function jsonOf(id) {
  return JSON.parse(new TextDecoder().decode(bytesOf(id)));
}

/** The programs that a browser does not compile, and why not. */
function refused(programs) {
  const gl = document.createElement('canvas').getContext('webgl2');
  const found = [];
  for (const { name, vertex, fragment, points, probed } of programs) {
    for (const probing of probed ? [false, true] : [false]) {
      try {
        const texts = [translate(vertex, { points }), translate(fragment, { probing })];
        gl.deleteProgram(compileProgram(gl, name, texts).name);
      } catch (error) {
        found.push({ name, why: error.message });
        break;
      }
    }
  }
  return found;
}

/** Rounding error of 1 in 32 bits. */
const EPSILON = 2 ** -23;

/** Units in the last place of 16-bit floats between two of them. */
function halvesBetween(a, b) {
  const size = Math.max(Math.abs(a), Math.abs(b), 2 ** -14);
  return Math.abs(a - b) / 2 ** (Math.floor(Math.log2(size)) - 10);
}

/**
 * How far a value is from the recorded one, in units of what is allowed: at most 1 is right. Four
 * roundings of the channel's peak for 32 bits, a unit in the last place for 16, a step for bytes.
 */
function excess(got, recorded, peak, format) {
  if (Object.is(got, recorded) || got === recorded) return 0;
  if (Number.isNaN(got) || Number.isNaN(recorded)) return Infinity;
  if (format === BYTES) return Math.abs(byteOf(got) - byteOf(recorded));
  if (format.endsWith('16F')) return halvesBetween(got, recorded);
  return Math.abs(got - recorded) / (4 * EPSILON * peak);
}

/** The largest finite size in each channel of a target. */
function peaksOf(data, channels) {
  const peak = [0, 0, 0, 0];
  data.forEach((value, i) => {
    const size = Math.abs(value);
    if (size < Infinity) peak[i % channels] = Math.max(peak[i % channels], size);
  });
  return peak;
}

/** The same over all streams that a pass reads. */
function peaksRead(replay, event) {
  const all = Object.values(event.streams).map((stream) => peaksOf(replay.read(stream), 4));
  return [0, 1, 2, 3].map((channel) => Math.max(...all.map((peaks) => peaks[channel])));
}

/**
 * Runs each pass by itself: what was recorded replaces its target before the next one. `texels`
 * holds all targets one after the other.
 */
function replayApart(film, texels, machine = Replay) {
  const replay = new machine(film);
  const passes = [];
  let at = 0;
  for (const event of film.events) {
    replay.apply(event);
    if (event.kind !== 'pass') continue;
    const { size: [width, height], channels, format } = film.streams[event.target];
    const count = width * height * channels;
    const recorded = texels.subarray(at, at + count);
    at += count;
    const got = replay.read(event.target);
    const worst = (peaks) => {
      let most = 0;
      for (let i = 0; i < count; i += 1) {
        const channel = i % channels;
        const value = got[4 * Math.floor(i / channels) + channel];
        most = Math.max(most, excess(value, recorded[i], peaks[channel], format));
      }
      return most;
    };
    const ofTarget = worst(peaksOf(recorded, channels));
    const ofOperands = ofTarget > 1 ? worst(peaksRead(replay, event)) : ofTarget;
    const same = replay.isAsRecorded(event);
    passes.push({ kernel: event.kernel, ofTarget, ofOperands, same });
    replay.upload(event.target, [0, 0, width, height], recorded);
  }
  replay.gl.getExtension('WEBGL_lose_context').loseContext();
  return passes;
}

/** The findings of a film: for each kernel, by the number of its scene. */
function findings(film, texels) {
  const found = new Map();
  replayApart(film, texels).forEach(({ kernel, ofTarget, ofOperands, same }, i) => {
    const { name } = film.kernels[kernel];
    const scene = film.scenes[film.stops[film.stopOf(i + 1)].scene].title;
    const key = `${scene}\n${name}`;
    const none = { scene, kernel: name, passes: 0, same: 0, ofTarget: 0, ofOperands: 0 };
    const sum = found.get(key) || none;
    sum.passes += 1;
    sum.same += Number(same);
    // JSON has no infinity.
    sum.ofTarget = Math.min(Math.max(sum.ofTarget, ofTarget), 1e30);
    sum.ofOperands = Math.min(Math.max(sum.ofOperands, ofOperands), 1e30);
    found.set(key, sum);
  });
  return [...found.values()];
}

// ---- Planted faults ----

class WithoutShadow extends Replay {
  /** A texture of zeros instead of the target as it was. */
  shadowOf(target) {
    return this.newSurface([target.width, target.height], target.format);
  }
}

/** The same film with other texts. */
function altered(film, change) {
  return Object.assign(Object.create(Film.prototype), film, { texts: film.texts.map(change) });
}

const FAULTS = {
  'a shifted coordinate': (film, texels) => replayApart(altered(film, (text) =>
    text.replace(/(?<!define )fetch\((\w+), /g, 'fetch($1, vec2(1.0, 0.0) + ')), texels),
  'a wrong identity': (film, texels) => replayApart(altered(film, (text) =>
    text.replace(/#define IDENTITY .*/, '#define IDENTITY 7.0')), texels),
  'no shadow copy': (film, texels) => replayApart(film, texels, WithoutShadow),
  // The player's are undone behind where it puts them.
  'sines of the browser': (film, texels) => replayApart(altered(film, (text) =>
    text.replace('#line 1\n', '#undef sin\n#undef cos\n#line 1\n')), texels),
};

/** How many passes of a film, or of its beginning, are found to be wrong with each of these faults. */
function caught(film, texels, { faults, events }) {
  const beginning = altered(film, (text) => text);
  beginning.events = film.events.slice(0, events);
  const wrong = (name) => FAULTS[name](beginning, texels).filter(({ ofTarget }) => !(ofTarget <= 1));
  return Object.fromEntries(faults.map((name) => [name, wrong(name).length]));
}

// ---- The player ----

// Films are here unpacked.
function filmNamed(name) {
  return decodeFilm(bytesOf(`film-${name}`), bytesOf(`floats-${name}`));
}
decodeElement = async ({ id }) => filmNamed(id.slice('film-'.length));

/** The number of programs that a film's steps compile once the player has warmed up. */
async function lateIn(name) {
  await openFilms([page.elements.findIndex(({ id }) => id === `film-${name}`)]);
  const [{ replay }] = page.views;
  if (![...replay.warmUp()].length) throw new Error(`${name}: nothing to compile`);
  const compiled = replay.programs.size;
  goTo(page.steps.length - 1);
  return replay.programs.size - compiled;
}

// ---- The answer ----

async function checkAll() {
  const { films, programs, warm } = jsonOf('task');
  const answer = { refused: refused(programs), films: {}, caught: {}, late: [] };
  for (const { name, planted } of films) {
    // A page that does not answer meanwhile is taken for one that hangs.
    await new Promise((done) => { setTimeout(done); });
    const film = filmNamed(name);
    const texels = new Float32Array(bytesOf(`texels-${name}`));
    answer.films[name] = findings(film, texels);
    if (planted) answer.caught[name] = caught(film, texels, planted);
  }
  for (const name of warm) answer.late.push(await lateIn(name));
  return answer;
}

checkAll().catch((error) => ({ error: `${error.message}\n${error.stack}` })).then((answer) => {
  window.parent.postMessage(answer, '*');
});

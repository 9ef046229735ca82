// Executes a film again with WebGL 2: a second, independent implementation of the same machine.

class Unsupported extends Error {}

/** Bytes of copies that make steps backwards quick. */
const CHECKPOINT_BUDGET = 192 * 1024 * 1024;
/** Events between two copies, at first. */
const CHECKPOINT_SPACING = 64;
/** More fetches of one fragment are not listed. */
const MOST_FETCHES = 256;
/** A place for a texture that no program uses: WebGL 2 has 32. */
const SPARE_UNIT = 31;
/** Passes of a texel's history that are shown, and texels of which it is remembered. */
const HISTORY = 60;
const KNOWN_TEXELS = 64;
/** What stands in the count's place where no fragment ran. */
const NO_FRAGMENT = -1e9;

/** Colours of eight bits a channel, in pictures; all other streams hold floats. */
const BYTES = 'RGBA8';

/** What WebGL calls a format of streams. */
function glFormat(gl, format) {
  if (format === BYTES) return { internal: gl.RGBA8, external: gl.RGBA, kind: gl.UNSIGNED_BYTE };
  const [, channels, bits] = /^(R|RG|RGBA)(16|32)F$/.exec(format);
  return {
    internal: gl[`${channels}${bits}F`],
    external: { R: gl.RED, RG: gl.RG, RGBA: gl.RGBA }[channels],
    kind: gl.FLOAT,
  };
}

/** The context of a canvas. Throws Unsupported, with what is missing. */
function webgl(canvas) {
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  if (!gl) throw new Unsupported('This browser offers no WebGL 2.');
  if (!gl.getExtension('EXT_color_buffer_float')) {
    throw new Unsupported('This graphics driver cannot draw into textures of floats (EXT_color_buffer_float).');
  }
  return gl;
}

class Replay {
  /** Throws Unsupported, with what is missing, where there are no textures of floats to draw into. */
  constructor(film, canvas = document.createElement('canvas')) {
    this.film = film;
    const gl = webgl(canvas);
    this.gl = gl;
    this.largest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    gl.disable(gl.DITHER);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
    this.programs = new Map();
    /** Kernels whose text is the reader's, and these texts. */
    this.edits = new Map();
    this.geometry = new Map();
    this.shadows = new Map();
    this.singles = new Map();
    this.histories = new Map();
    this.surfaces = new Map();
    this.checkpoints = [];
    this.spacing = CHECKPOINT_SPACING;
    // Each writing gives a stream a new version: what was read or copied before need not be again.
    this.versions = film.streams.map(() => 0);
    this.nextVersion = 1;
    this.read_ = new Map();
    this.position = 0;
    this.keepCheckpoint();
  }

  // ---- Where we are ----

  /** To the state after so many events. */
  goTo(wanted) {
    if (wanted < this.position) this.restore(wanted);
    else this.skipTo(wanted);
    while (this.position < wanted) this.step();
  }

  /** The next event. */
  step() {
    this.apply(this.film.events[this.position]);
    this.position += 1;
    const last = this.checkpoints[this.checkpoints.length - 1];
    if (this.position - last.position >= this.spacing) this.keepCheckpoint();
  }

  apply(event) {
    switch (event.kind) {
      case 'make': this.make(event.stream); break;
      case 'upload': this.upload(event.stream, event.rectangle, this.film.span(event.data)); break;
      case 'outside': {
        const [width, height] = this.film.streams[event.stream].size;
        this.upload(event.stream, [0, 0, width, height], this.film.span(event.data));
        break;
      }
      case 'fill': this.fill(event.stream, this.film.span(event.value)); break;
      case 'free': this.free(event.stream); break;
      case 'pass': this.draw(event); break;
      default: // What is read, counted or told changes nothing.
    }
  }

  // ---- Streams ----

  make(stream) {
    this.free(stream);
    const { size, format } = this.film.streams[stream];
    this.surfaces.set(stream, this.newSurface(size, format));
    this.touch(stream);
  }

  surface(stream) {
    if (!this.surfaces.has(stream)) this.make(stream);
    return this.surfaces.get(stream);
  }

  newSurface([width, height], format) {
    if (Math.max(width, height) > this.largest) {
      throw new Unsupported(`This graphics driver has no textures of ${width} x ${height}.`);
    }
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, glFormat(gl, format).internal, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const bytes = width * height * 16;
    return { texture, framebuffer, width, height, format, bytes };
  }

  deleteSurface({ texture, framebuffer }) {
    this.gl.deleteFramebuffer(framebuffer);
    this.gl.deleteTexture(texture);
  }

  free(stream) {
    const surface = this.surfaces.get(stream);
    if (surface) this.deleteSurface(surface);
    this.surfaces.delete(stream);
    this.read_.delete(stream);
  }

  touch(stream) {
    this.versions[stream] = this.nextVersion;
    this.nextVersion += 1;
  }

  upload(stream, [x, y, width, height], data) {
    if (width * height === 0) return;
    const { gl } = this;
    const surface = this.surface(stream);
    gl.bindTexture(gl.TEXTURE_2D, surface.texture);
    const { external, kind } = glFormat(gl, surface.format);
    const values = surface.format === BYTES ? Uint8Array.from(data, byteOf) : data;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, external, kind, values);
    this.touch(stream);
  }

  fill(stream, value) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.surface(stream).framebuffer);
    gl.clearBufferfv(gl.COLOR, 0, value);
    this.touch(stream);
  }

  /** All of a stream: four floats a texel, rows from the bottom up. Kept until it is written again. */
  read(stream) {
    const known = this.read_.get(stream);
    if (known && known.version === this.versions[stream]) return known.data;
    const { width, height } = this.surface(stream);
    const data = this.readPart(stream, [0, 0, width, height]);
    this.read_.set(stream, { version: this.versions[stream], data });
    return data;
  }

  readPart(stream, rectangle) {
    return this.readSurface(this.surface(stream), rectangle);
  }

  readSurface({ framebuffer, format }, [x, y, width, height]) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const isBytes = format === BYTES;
    const data = new (isBytes ? Uint8Array : Float32Array)(width * height * 4);
    gl.readPixels(x, y, width, height, gl.RGBA, isBytes ? gl.UNSIGNED_BYTE : gl.FLOAT, data);
    return isBytes ? Float32Array.from(data, (byte) => byte / 255) : data;
  }

  /** Whether a stream exists now. */
  exists(stream) {
    return this.surfaces.has(stream);
  }

  copy(from, to) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, from.framebuffer);
    gl.bindTexture(gl.TEXTURE_2D, to.texture);
    gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, from.width, from.height);
  }

  // ---- Passes ----

  draw(event) {
    const { gl } = this;
    const target = this.surface(event.target);
    const shadow = event.feedback ? this.shadowOf(target) : null;
    const textureOf = (stream) =>
      (shadow && stream === event.target ? shadow : this.surface(stream)).texture;
    this.bindTarget(target);
    const program = this.program(event.kernel, false);
    this.bind(program, event, textureOf);
    this.drawExtent(event);
    this.touch(event.target);
    if (gl.isContextLost()) throw new Unsupported('The graphics driver has stopped working.');
  }

  bindTarget({ framebuffer, width, height }) {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, width, height);
  }

  /** The target as it was: WebGL never reads what it draws into. */
  shadowOf(target) {
    const key = `${target.width} ${target.height} ${target.format}`;
    if (!this.shadows.has(key)) {
      this.shadows.set(key, this.newSurface([target.width, target.height], target.format));
    }
    const shadow = this.shadows.get(key);
    this.copy(target, shadow);
    return shadow;
  }

  bind(program, event, textureOf) {
    const { gl } = this;
    gl.useProgram(program.name);
    const set = (name, values) => {
      const place = program.place(name);
      if (place !== null) gl[`uniform${values.length}fv`](place, values);
    };
    set('target_size', this.film.streams[event.target].size);
    set('target_offset', this.film.extents[event.extent].moved);
    for (const [name, span] of Object.entries(event.constants)) set(name, this.film.span(span));
    let unit = 0;
    for (const [name, stream] of Object.entries(event.streams)) {
      const place = program.place(name);
      // A constant or stream that the compiler found to be of no use has no place.
      if (place === null) continue;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, textureOf(stream));
      gl.uniform1i(place, unit);
      unit += 1;
    }
    gl.activeTexture(gl.TEXTURE0);
  }

  drawExtent(event) {
    const { gl } = this;
    const { points } = this.film.kernels[event.kernel];
    const { array, count } = this.vertices(event.extent, points);
    gl.bindVertexArray(array);
    gl.drawArrays(points ? gl.POINTS : gl.TRIANGLES, 0, count);
    gl.bindVertexArray(null);
  }

  vertices(extent, points) {
    if (this.geometry.has(extent)) return this.geometry.get(extent);
    const { gl } = this;
    const data = this.film.span(this.film.extents[extent].vertices);
    const attributes = points ? [2, 1, 2] : [2];
    const floats = points ? 5 : 2;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    let offset = 0;
    attributes.forEach((size, index) => {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, 4 * floats, 4 * offset);
      offset += size;
    });
    const made = { array, count: data.length / floats };
    this.geometry.set(extent, made);
    return made;
  }

  /** A kernel's program: that which computes, or that which tells where it fetches. */
  program(kernel, probing) {
    const key = `${kernel} ${probing}`;
    if (!this.programs.has(key)) this.programs.set(key, this.compile(kernel, this.textOf(kernel), probing));
    return this.programs.get(key);
  }

  compile(kernel, text, probing = false) {
    const { vertex, points, name } = this.film.kernels[kernel];
    if (text.includes('GL_ARB_gpu_shader_fp64')) {
      throw new Unsupported(`${name} computes in double precision, and WebGL does not.`);
    }
    const texts = [translate(this.film.texts[vertex], { points }), translate(text, { probing })];
    return compileProgram(this.gl, name, texts);
  }

  textOf(kernel) {
    return this.edits.get(kernel) ?? this.film.texts[this.film.kernels[kernel].fragment];
  }

  // ---- The reader's text ----

  /**
   * Gives a kernel another body, or without one its own again. All that its passes have led to is
   * forgotten; `goTo` draws them again. Throws Unsupported, and changes nothing, if it does not compile.
   */
  edit(kernel, body) {
    const recorded = this.film.texts[this.film.kernels[kernel].fragment];
    const text = body === null ? recorded : withBody(recorded, body);
    const made = this.compile(kernel, text);
    if (body === null) this.edits.delete(kernel);
    else this.edits.set(kernel, text);
    for (const key of [`${kernel} false`, `${kernel} true`]) {
      if (this.programs.has(key)) this.gl.deleteProgram(this.programs.get(key).name);
      this.programs.delete(key);
    }
    this.programs.set(`${kernel} false`, made);
    const first = this.firstPassOf(kernel);
    const before = this.copies();
    this.checkpoints = this.checkpoints.filter(({ position }) => position <= first);
    const kept = this.copies();
    for (const copy of before) if (!kept.has(copy)) this.deleteSurface(copy);
    this.histories.clear();
    if (this.position > first) this.restore(first);
  }

  firstPassOf(kernel) {
    return this.film.passes.find((index) => this.film.events[index].kernel === kernel);
  }

  /** Whether a kernel with a reader's text has been drawn up to now. */
  get isEdited() {
    return [...this.edits.keys()].some((kernel) => this.firstPassOf(kernel) < this.position);
  }

  /** Whether this pass reads the stream that it writes. */
  readsTarget(event, stream) {
    return event.feedback && stream === event.target;
  }

  /** What a pass that was drawn last finds in a stream: in its own target, what stood there before it. */
  found(event, stream) {
    if (!this.readsTarget(event, stream)) return this.read(stream);
    const { width, height, format } = this.surface(stream);
    return this.readSurface(this.shadows.get(`${width} ${height} ${format}`), [0, 0, width, height]);
  }

  // ---- Before the first use ----

  /**
   * Draws a triangle or a point of nothing for each program, target format and input formats of the
   * film, one a step of this generator. A driver makes machine code where a program is first drawn, not
   * where it is compiled, and that must not be when somebody waits for a step.
   */
  * warmUp() {
    const known = new Set();
    for (const index of this.film.passes) {
      const event = this.film.events[index];
      const formats = [event.target, ...Object.values(event.streams)].map((stream) =>
        this.film.streams[stream].format);
      const key = `${event.kernel} ${formats}`;
      if (known.has(key)) continue;
      known.add(key);
      try {
        this.drawNothing(event);
      } catch (error) {
        // Its own pass will say so.
        if (!(error instanceof Unsupported)) throw error;
      }
      yield key;
    }
  }

  drawNothing(event) {
    const { gl } = this;
    const { points } = this.film.kernels[event.kernel];
    const single = (stream, isTarget) => this.single(this.film.streams[stream].format, isTarget);
    const target = single(event.target, true);
    // One that is made now is bound where it would be drawn into.
    const inputs = new Map(Object.values(event.streams).map((stream) => [stream, single(stream, false)]));
    this.bindTarget(target);
    this.bind(this.program(event.kernel, false), event, (stream) => inputs.get(stream).texture);
    gl.bindVertexArray(this.vertices(event.extent, points).array);
    gl.drawArrays(points ? gl.POINTS : gl.TRIANGLES, 0, points ? 1 : 3);
    gl.bindVertexArray(null);
    gl.flush();
  }

  /** A stream of one texel, to draw into or to read from. */
  single(format, isTarget) {
    const key = `${format} ${isTarget}`;
    if (!this.singles.has(key)) {
      const made = this.newSurface([1, 1], format);
      this.singles.set(key, made);
      // Reading and copying a format are programs, too.
      if (isTarget) this.copy(made, this.single(format, false));
      else this.readSurface(made, [0, 0, 1, 1]);
    }
    return this.singles.get(key);
  }

  // ---- Backwards ----

  /** Keeps what all streams hold now; what has not changed since the last copy is shared with it. */
  keepCheckpoint() {
    const last = this.checkpoints[this.checkpoints.length - 1];
    const kept = new Map();
    for (const [stream, surface] of this.surfaces) {
      const version = this.versions[stream];
      const known = last && last.kept.get(stream);
      if (known && known.version === version) {
        kept.set(stream, known);
      } else {
        const copy = this.newSurface([surface.width, surface.height], surface.format);
        this.copy(surface, copy);
        kept.set(stream, { version, copy });
      }
    }
    this.checkpoints.push({ position: this.position, kept });
    if (this.checkpoints.length > 2 && this.checkpointBytes() > CHECKPOINT_BUDGET) {
      this.thinOut();
    }
  }

  copies() {
    const all = this.checkpoints.flatMap(({ kept }) => [...kept.values()]);
    return new Set(all.map(({ copy }) => copy));
  }

  checkpointBytes() {
    let bytes = 0;
    for (const copy of this.copies()) bytes += copy.bytes;
    return bytes;
  }

  /** Half as many copies, twice as far apart. The last one stays: the next are counted from it. */
  thinOut() {
    const before = this.copies();
    const last = this.checkpoints.length - 1;
    this.checkpoints = this.checkpoints.filter((_, i) => i % 2 === 0 || i === last);
    const after = this.copies();
    for (const copy of before) if (!after.has(copy)) this.deleteSurface(copy);
    this.spacing *= 2;
  }

  nearest(position) {
    const before = this.checkpoints.filter((checkpoint) => checkpoint.position <= position);
    return before.reduce((a, b) => (b.position > a.position ? b : a));
  }

  /** Forward over what is kept already, if that is nearer. */
  skipTo(wanted) {
    const near = this.nearest(Math.max(wanted - 1, 0));
    if (near.position > this.position + this.spacing) this.load(near);
  }

  /** To a state before this one, or just before it: the last event is always done anew. */
  restore(wanted) {
    this.load(this.nearest(Math.max(wanted - 1, 0)));
  }

  load(checkpoint) {
    for (const stream of [...this.surfaces.keys()]) {
      if (!checkpoint.kept.has(stream)) this.free(stream);
    }
    for (const [stream, { version, copy }] of checkpoint.kept) {
      if (this.surfaces.has(stream) && this.versions[stream] === version) continue;
      this.copy(copy, this.surface(stream));
      this.versions[stream] = version;
    }
    this.position = checkpoint.position;
  }

  // ---- One texel ----

  /** What the fragment at this texel fetched in the pass that was drawn last; null if none ran. */
  fetchesAt(event, x, y) {
    // Made first: it must not take the place of a texture that the program reads.
    const answers = this.newSurface([MOST_FETCHES, 1], 'RGBA32F');
    const answer = this.probe(event, [x, y, 1, 1], (report, scratch, names) =>
      this.collectFetches(names, report, scratch, answers, [x, y]));
    this.deleteSurface(answers);
    return answer;
  }

  /**
   * Lends `use` a target whose texels in a rectangle are filled by the pass that was drawn last: `report` has
   * each fragment say there where it fetches for this time.
   */
  probe(event, [x, y, width, height], use) {
    const { gl } = this;
    const names = Object.entries(event.streams);
    const copies = names.map(([, stream], number) => this.numberedCopy(event, stream, number));
    const target = this.surface(event.target);
    const scratch = this.newSurface([target.width, target.height], 'RGBA32F');
    const program = this.program(event.kernel, true);
    const textures = new Map(names.map(([, stream], i) => [stream, copies[i].texture]));
    this.bindTarget(scratch);
    // A stream that is bound twice goes by its last name.
    this.bind(program, event, (stream) => textures.get(stream));
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, width, height);
    gl.clearBufferfv(gl.COLOR, 0, [-1, -1, -1, NO_FRAGMENT]);
    const report = (wanted) => {
      this.bindTarget(scratch);
      gl.uniform1f(program.place('film_wanted'), wanted);
      this.drawExtent(event);
    };
    const answer = use(report, scratch, names);
    gl.disable(gl.SCISSOR_TEST);
    [...copies, scratch].forEach((surface) => this.deleteSurface(surface));
    return answer;
  }

  /**
   * `report` has the fragment say in its texel of `scratch` where it fetches for this time. These are put
   * side by side, so that all are waited for at once.
   */
  collectFetches(names, report, scratch, answers, [x, y]) {
    const { gl } = this;
    report(0);
    const state = this.readSurface(scratch, [x, y, 1, 1])[3];
    if (state === NO_FRAGMENT) return null;
    const discarded = state < 0;
    const count = discarded ? -1 - state : state;
    const most = Math.min(count, MOST_FETCHES);
    if (most === 0) return { fetches: [], count, discarded };
    gl.activeTexture(gl.TEXTURE0 + SPARE_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, answers.texture);
    for (let wanted = 0; wanted < most; wanted += 1) {
      report(wanted);
      gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, wanted, 0, x, y, 1, 1);
    }
    gl.activeTexture(gl.TEXTURE0);
    const found = this.readSurface(answers, [0, 0, most, 1]);
    const fetches = [...Array(most).keys()].map((wanted) => {
      const [column, row, number] = found.subarray(4 * wanted, 4 * wanted + 3);
      const [name, stream] = names[number];
      return { name, stream, x: column, y: row };
    });
    return { fetches, count, discarded };
  }

  /** How many fragments of the pass that was drawn last were not discarded: what an occlusion query would count. */
  survivors(event) {
    const { width, height } = this.surface(event.target);
    const told = this.probe(event, [0, 0, width, height], (report, scratch) => {
      report(0);
      return this.readSurface(scratch, [0, 0, width, height]);
    });
    return told.filter((value, i) => i % 4 === 3 && value >= 0).length;
  }

  /** A copy of an input as it was before the pass, with its number in an extra row. */
  numberedCopy(event, stream, number) {
    const { gl } = this;
    const { width, height } = this.surface(stream);
    const data = this.found(event, stream);
    const copy = this.newSurface([width, height + 1], 'RGBA32F');
    const marks = new Float32Array(4 * width).fill(number);
    gl.bindTexture(gl.TEXTURE_2D, copy.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RGBA, gl.FLOAT, data);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, height, width, 1, gl.RGBA, gl.FLOAT, marks);
    return copy;
  }

  /** What a texel held after each pass that has drawn it, up to now: the last ones, at most so many. */
  historyOf(stream, x, y, most = HISTORY) {
    const { film } = this;
    const here = this.position;
    const drew = (index) => film.events[index].target === stream && covers(film, film.events[index], x, y);
    const shown = film.passes.filter((index) => index < here && drew(index)).slice(-most);
    const known = this.knownOf(`${stream} ${x} ${y}`);
    const missing = shown.filter((index) => !known.has(index));
    const keep = () => known.set(this.position - 1, this.readPart(stream, [x, y, 1, 1]));
    if (missing[0] === here - 1) {
      keep();
    } else if (missing.length > 0) {
      this.restore(missing[0]);
      while (this.position < here) {
        this.step();
        if (missing.includes(this.position - 1)) keep();
      }
    }
    return shown.map((index) => ({ index, value: known.get(index) }));
  }

  /** What is known of a texel's history; of few texels at a time. */
  knownOf(texel) {
    if (this.histories.size >= KNOWN_TEXELS) this.histories.clear();
    if (!this.histories.has(texel)) this.histories.set(texel, new Map());
    return this.histories.get(texel);
  }

  // ---- Against the recording ----

  /**
   * Whether what a pass drew is what was recorded, bit by bit, and if not, how far the texels that were
   * kept are from it, as a share of the pass's peak.
   */
  distance(event) {
    const { channels, size: [width] } = this.film.streams[event.target];
    const data = this.read(event.target);
    if (this.isAsRecorded(event)) return { same: true, share: 0, off: null };
    const samples = this.film.span(event.samples);
    let peak = Math.max(...this.film.span(event.peak));
    if (!Number.isFinite(peak)) peak = Math.max(...samples.map(Math.abs).filter(Number.isFinite), 0);
    /** @type {any} */
    let off = null;
    sampledTexels(this.film, event, samples.length / channels).forEach(([x, y], i) => {
      for (let channel = 0; channel < channels; channel += 1) {
        const [here, recorded] = [data.subarray(4 * (y * width + x) + channel), samples.subarray(i * channels + channel)];
        if (wordOf(here) === wordOf(recorded)) continue;
        const difference = differenceBetween(here[0], recorded[0]);
        if (off && difference <= off.difference) continue;
        off = { difference, x, y, channel, here: here.slice(0, 1), recorded: recorded.slice(0, 1) };
      }
    });
    return { same: false, share: (off?.difference ?? 0) / (peak || 1), off };
  }

  isAsRecorded(event) {
    const { channels, format, size: [width] } = this.film.streams[event.target];
    const [x, y, columns, rows] = around(rectanglesOf(this.film, event));
    const data = this.read(event.target);
    const lines = [...Array(rows).keys()].map((row) => {
      const first = 4 * ((y + row) * width + x);
      return data.subarray(first, first + 4 * columns);
    });
    const [low, high] = hashOf(lines, channels, format);
    const recorded = this.film.bits(event.hash);
    return low === recorded[0] && high === recorded[1];
  }
}

/** The bits of the first of some floats: NaN has several. */
const wordOf = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, 1)[0];

/** How far two values are from each other: infinitely, if only one of them is NaN or infinite. */
function differenceBetween(a, b) {
  if (Object.is(a, b)) return 0;
  const difference = Math.abs(a - b);
  return Number.isNaN(difference) ? Infinity : difference;
}

/**
 * Compiles and links. The error says which program, and what the driver says.
 * @type {(gl: any, name: string, texts: string[]) => WebGLProgram}
 */
function compileProgram(gl, name, [vertexText, fragmentText]) {
  const program = gl.createProgram();
  const stages = [[gl.VERTEX_SHADER, vertexText], [gl.FRAGMENT_SHADER, fragmentText]];
  for (const [kind, text] of stages) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Unsupported(`${name}: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(program, shader);
    // It stays as long as the program does.
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Unsupported(`${name}: ${gl.getProgramInfoLog(program)}`);
  }
  const places = new Map();
  const place = (uniform) => {
    if (!places.has(uniform)) places.set(uniform, gl.getUniformLocation(program, uniform));
    return places.get(uniform);
  };
  return { name: program, place };
}

/** Whether a pass draws a texel. */
function covers(film, event, x, y) {
  return rectanglesOf(film, event).some(([left, bottom, width, height]) =>
    x >= left && x < left + width && y >= bottom && y < bottom + height);
}

/** The rectangles that a pass draws: column, row, width and height. A point is one of a texel. */
function rectanglesOf(film, event) {
  const extent = film.extents[event.extent];
  if (film.kernels[event.kernel].points) return pointsOf(film, event);
  const data = film.span(extent.rectangles);
  return [...Array(data.length / 4).keys()].map((i) => [...data.subarray(4 * i, 4 * i + 4)]);
}

/** The texels that a pass over points draws, moved as its vertex program moves them. */
function pointsOf(film, event) {
  const extent = film.extents[event.extent];
  const [width] = film.streams[event.target].size;
  const [right, up] = extent.moved;
  const vertices = film.span(extent.vertices);
  const points = [];
  for (let i = 0; i < vertices.length; i += 5) {
    const x = Math.floor(vertices[i]) + right;
    const rows = Math.floor(x / width);
    points.push([x - rows * width, Math.floor(vertices[i + 1]) + up + rows, 1, 1]);
  }
  return points;
}

/** The smallest rectangle around some; an empty one around none. */
function around(rectangles) {
  let [left, bottom, right, top] = [Infinity, Infinity, 0, 0];
  for (const [x, y, width, height] of rectangles) {
    [left, bottom] = [Math.min(left, x), Math.min(bottom, y)];
    [right, top] = [Math.max(right, x + width), Math.max(top, y + height)];
  }
  return rectangles.length > 0 ? [left, bottom, right - left, top - bottom] : [0, 0, 0, 0];
}

/** The texels that the recorder has kept: `count`, spread evenly over what the pass draws. */
function sampledTexels(film, event, count) {
  const rectangles = rectanglesOf(film, event);
  const total = rectangles.reduce((sum, [, , width, height]) => sum + width * height, 0);
  const texels = [];
  let passed = 0;
  for (const [x, y, width, height] of rectangles) {
    const next = () => Math.floor(((2 * texels.length + 1) * total) / (2 * count)) - passed;
    while (texels.length < count && next() < width * height) {
      const number = next();
      texels.push([x + (number % width), y + Math.floor(number / width)]);
    }
    passed += width * height;
  }
  return texels;
}

function byteOf(value) {
  return Math.round(255 * value);
}

/**
 * The recorder's hash of rows of texels, as two words, the low one first: FNV-1a of 64 bits over the words
 * of the used channels; one word for all NaN, one for both zeros.
 */
function hashOf(lines, channels, format) {
  let [low, high] = [0x84222325, 0xcbf29ce4];
  for (const line of lines) {
    const words = format === BYTES
      ? Uint32Array.from(line, byteOf)
      : new Uint32Array(line.buffer, line.byteOffset, line.length);
    for (let i = 0; i < words.length; i += 4) {
      for (let channel = 0; channel < channels; channel += 1) {
        let word = words[i + channel];
        if (word === 0x80000000) word = 0;
        else if ((word & 0x7fffffff) > 0x7f800000) word = 0x7fc00000;
        const mixed = (low ^ word) >>> 0;
        const product = mixed * 435;
        high = (Math.imul(high, 435) + Math.floor(product / 4294967296) + (mixed << 8)) >>> 0;
        low = product % 4294967296;
      }
    }
  }
  return [low, high];
}

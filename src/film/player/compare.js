// An edited run next to the recorded one: the difference of a stream, texel by texel.

/**
 * How a stream differs from the recorded one: the largest difference (infinite for NaN), the texel with it and its values, the
 * largest recorded size, and the number of texels that differ.
 */
function differenceOf(mine, recorded, channels, width) {
  const found = { most: 0, at: [0, 0, 0], peak: 0, texels: 0, off: null };
  for (let i = 0; i < mine.length; i += 4) {
    let [own, channel] = [0, 0];
    for (let c = i; c < i + channels; c += 1) {
      const size = Math.abs(recorded[c]);
      if (size > found.peak && size < Infinity) found.peak = size;
      if (mine[c] === recorded[c]) continue;
      const difference = differenceBetween(mine[c], recorded[c]);
      if (difference > own) [own, channel] = [difference, c - i];
    }
    if (own > 0) found.texels += 1;
    if (own <= found.most) continue;
    const [x, y, c] = [(i / 4) % width, Math.floor(i / 4 / width), i + channel];
    Object.assign(found, { most: own, at: [x, y, channel],
      off: { difference: own, x, y, channel, here: mine.slice(c, c + 1), recorded: recorded.slice(c, c + 1) } });
  }
  return found;
}

// ---- What a difference is ----

/** Columns of the table of special values (glsl/README.md), and the operations whose rows promise nothing there. */
const UNPROMISED = {
  NaN: ['?', 'min', 'max', 'clamp', 'sign', 'step', 'pow', 'sin', 'cos'],
  '±∞': ['floor', 'ceil', 'fract', 'mod', 'mix', 'dot', 'length', 'exp2', 'log2', 'pow', 'sin', 'cos'],
  '±0': ['log2', 'pow'],
  largest: ['/', 'floor', 'ceil', 'fract', 'mod', 'mix', 'dot', 'length', 'sqrt', 'inversesqrt', 'exp2', 'log2', 'pow', 'sin', 'cos'],
  negative: ['sqrt', 'inversesqrt', 'log2', 'pow'],
};
/** Numbers below this one are subnormal. */
const SMALLEST = 2 ** -126;

/** A difference that is not a number, in a few words. */
function kindOfDifference({ here: [here], recorded: [recorded] }) {
  if (Number.isNaN(here)) return 'NaN here, not in the recording';
  if (Number.isNaN(recorded)) return 'NaN in the recording, not here';
  return Number.isFinite(here) ? 'infinite in the recording, not here' : 'infinite here, not in the recording';
}

/** Where and how a pass differs most from the recording, and why a driver may do that: sentences. */
function reasonsOf({ difference, x, y, channel, here, recorded }, body) {
  const [now, before] = [here, recorded].map(([value]) => value);
  const shown = (floats) => `${exactNumber(floats[0])} (${bitsOf(floats)[1]})`;
  const said = [`Column ${x}, row ${y}, channel ${CHANNELS[channel]}: ${shown(here)} here, ${shown(recorded)} in the recording.`];
  const isTiny = (value) => value !== 0 && Math.abs(value) < SMALLEST;
  if (Number.isNaN(now) && Number.isNaN(before)) said.push('A driver chooses the bits of a NaN.');
  else if (difference === 0) said.push('The sign of a zero is never promised.');
  else if (isTiny(now) || isTiny(before)) {
    said.push('A driver may take such a subnormal number for zero: no row of the table of special values in glsl/README.md promises it.');
  } else if (difference === Infinity && body !== null) {
    const code = body.replaceAll(/\/\/.*/g, '');
    const has = (name) => (/\w/.test(name) ? new RegExp(`\\b${name}\\s*\\(`).test(code) : code.includes(name));
    const rows = Object.entries(UNPROMISED).map(([column, names]) => [column, names.filter(has).join(', ')]).filter(([, names]) => names)
      .map(([column, names]) => `${names} (${column})`);
    said.push(rows.length > 0 ? 'The table of special values in glsl/README.md promises nothing for these operations of the ' +
      `program with operands of these kinds: ${rows.join('; ')}. Drivers also simplify sums as if numbers were real.`
      : 'The table of special values is in glsl/README.md. Drivers also simplify sums as if numbers were real.');
  }
  return said;
}

/** The third of three panes: what is shown of an edited film, less the same as recorded. */
class DifferencePane {
  constructor(view, stage) {
    this.view = view;
    this.root = byId('film-template').content.firstElementChild.cloneNode(true);
    this.root.classList.add('difference');
    this.part = (name) => this.root.querySelector(`.${name}`);
    this.part('film-title').textContent = 'difference';
    this.part('film-source').textContent = 'yours − recorded';
    this.part('right').replaceChildren(element('p', { class: 'found', role: 'status' }));
    stage.append(this.root);
    drawBar(this.part('bar'));
    new ResizeObserver(() => this.render()).observe(this.part('frame'));
  }

  render() {
    const { view: { stream, replay, reference, film, centre, zoom }, view } = this;
    const [canvas, found] = [this.part('picture'), this.part('found')];
    fitToScreen(canvas);
    canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
    found.textContent = 'No stream yet.';
    if (stream === null || !replay || !reference.exists(stream)) return;
    const { channels, size: [width, height] } = film.streams[stream];
    const [mine, recorded] = [replay.read(stream), reference.read(stream)];
    const shown = view.shown(stream, mine);
    drawPicture(canvas, { ...shown, data: mine.map((value, i) => value - recorded[i]) }, { zoom, centre });
    this.part('low').textContent = shortNumber(0 - shown.peak);
    this.part('high').textContent = shortNumber(shown.peak);
    const { most, at: [x, y, channel], texels } = differenceOf(mine, recorded, channels, width);
    canvas.setAttribute('aria-label', `the difference: ${texels} of ${width * height} texels`);
    found.textContent = 'No texel differs.';
    if (texels === 0) return;
    found.replaceChildren(...sentence('{} of {} texels differ. The largest difference is {}, in channel {} of {}.',
      texels, width * height, shortNumber(most), CHANNELS[channel],
      element('button', { type: 'button', class: 'link', onclick: () => view.select(x, y) }, `column ${x}, row ${y}`)));
  }
}

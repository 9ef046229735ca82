// An edited run next to the recorded one: the difference of a stream, texel by texel.

/**
 * How a stream differs from the recorded one: the largest difference (infinite for NaN), the texel with it, the largest
 * recorded size, and the number of texels that differ.
 */
function differenceOf(mine, recorded, channels, width) {
  const found = { most: 0, at: [0, 0, 0], peak: 0, texels: 0 };
  for (let i = 0; i < mine.length; i += 4) {
    let [own, channel] = [0, 0];
    for (let c = i; c < i + channels; c += 1) {
      const size = Math.abs(recorded[c]);
      if (size > found.peak && size < Infinity) found.peak = size;
      if (mine[c] === recorded[c] || Object.is(mine[c], recorded[c])) continue;
      const difference = Math.abs(mine[c] - recorded[c]);
      if (difference <= own) continue;
      [own, channel] = [Number.isNaN(difference) ? Infinity : difference, c - i];
    }
    if (own > 0) found.texels += 1;
    if (own > found.most) Object.assign(found, { most: own, at: [(i / 4) % width, Math.floor(i / 4 / width), channel] });
  }
  return found;
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
    found.textContent = texels === 0 ? 'No texel differs.' : `${texels} of ${width * height} texels differ. The largest ` +
      `difference is ${shortNumber(most)}, in channel ${CHANNELS[channel]} of `;
    if (texels > 0) {
      found.append(element('button', { type: 'button', class: 'link', onclick: () => view.select(x, y) },
        `column ${x}, row ${y}`), '.');
    }
  }
}

// Streams as pictures: texels in colours that are symmetric about zero, with their numbers where
// there is room for them.

const NEGATIVE = [0x0b, 0x4f, 0x9c];
const POSITIVE = [0xb3, 0x5c, 0x00];
const ZERO = [0xfa, 0xf9, 0xf6];
const NOT_A_NUMBER = [0xd0, 0x10, 0xb0];
/** Screen pixels of a texel from which lines between texels, and numbers in them, are drawn. */
const LINES_FROM = 9;
const NUMBERS_FROM = 46;
/** And for a projector, where digits are to be 24 high. */
const PROJECTED_FROM = 120;
const CHANNELS = 'xyzw';

/** The colour of a value in a range from -peak to peak: blue below zero, amber above. */
function colourOf(value, peak) {
  if (Number.isNaN(value)) return NOT_A_NUMBER;
  const end = value < 0 ? NEGATIVE : POSITIVE;
  const share = peak > 0 ? Math.min(Math.abs(value) / peak, 1) : Number(value !== 0);
  // The root keeps small values visible.
  const weight = share ** 0.7;
  return ZERO.map((zero, i) => Math.round(zero + weight * (end[i] - zero)));
}

/**
 * Black or white, whichever is read more easily on a colour.
 * @param {number[]} colour
 */
function inkOn([red, green, blue]) {
  const linear = [red, green, blue].map((c) => (c / 255) ** 2.2);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.2 ? '#000' : '#fff';
}

/** A number in few characters. */
function shortNumber(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value < 0 ? '−∞' : '∞';
  if (value === 0) return Object.is(value, -0) ? '−0' : '0';
  const size = Math.abs(value);
  const text = size >= 0.01 && size < 1e5
    ? String(Number(value.toPrecision(size >= 1 ? 4 : 3)))
    : value.toExponential(1).replace('e+', 'e');
  return text.replaceAll('-', '−');
}

/** A float so that no other float is written alike. */
function exactNumber(value) {
  if (!Number.isFinite(value)) return shortNumber(value);
  if (Object.is(value, -0)) return '−0';
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text)).replaceAll('-', '−');
  }
  return String(value).replaceAll('-', '−');
}

/** The largest finite size of some channels. */
function peakOf(data, channels) {
  let peak = 0;
  for (let i = 0; i < data.length; i += 4) {
    for (const channel of channels) {
      const size = Math.abs(data[i + channel]);
      if (size > peak && size < 1e37) peak = size;
    }
  }
  return peak;
}

/**
 * What is shown of a stream: `data` (four floats a texel), `size`, `mode` ("one" channel, "all"
 * channels as parts of a texel, or "colours"), `channel`, `channels` in use, `peak` of the range.
 */
function imageOf({ data, size: [width, height], mode, channel, channels, peak }) {
  const parts = mode === 'all' ? partsOf(channels) : [1, 1];
  const image = new ImageData(width * parts[0], height * parts[1]);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 4 * (y * width + x);
      if (mode === 'colours') {
        const colour = [0, 1, 2].map((c) => 255 * Math.min(Math.max(data[at + c], 0), 1));
        paint(image, x, height - 1 - y, colour);
      } else if (mode === 'all') {
        for (let c = 0; c < channels; c += 1) {
          const [column, row] = placeOfPart(c, parts);
          const line = (height - 1 - y) * parts[1] + row;
          paint(image, x * parts[0] + column, line, colourOf(data[at + c], peak));
        }
      } else {
        paint(image, x, height - 1 - y, colourOf(data[at + channel], peak));
      }
    }
  }
  return image;
}

/** @type {(image: ImageData, x: number, y: number, colour: number[]) => void} */
function paint(image, x, y, [red, green, blue]) {
  const at = 4 * (y * image.width + x);
  image.data[at] = red;
  image.data[at + 1] = green;
  image.data[at + 2] = blue;
  image.data[at + 3] = 255;
}

/** How the channels share a texel: columns and rows. */
function partsOf(channels) {
  return [channels > 1 ? 2 : 1, channels > 2 ? 2 : 1];
}

/**
 * Where a channel stands in a texel: x y above z w.
 * @type {(channel: number, parts: number[]) => number[]}
 */
function placeOfPart(channel, [columns]) {
  return [channel % columns, Math.floor(channel / columns)];
}

/** Where texels lie on a canvas. Rows are counted from the bottom, as the machine does. */
class Frame {
  constructor(canvas, [width, height], zoom, centre) {
    // Room for outlines at the edges.
    const margin = 3 * (window.devicePixelRatio || 1);
    const fit = Math.min((canvas.width - 2 * margin) / width, (canvas.height - 2 * margin) / height);
    const side = fit * zoom;
    this.side = side >= 2 ? Math.floor(side) : side;
    this.height = height;
    const offset = (length, texels, middle) => {
      const all = texels * this.side;
      if (all <= length) return Math.floor((length - all) / 2);
      const left = length / 2 - middle * this.side;
      return Math.round(Math.min(0, Math.max(length - all, left)));
    };
    this.left = offset(canvas.width, width, centre ? centre[0] + 0.5 : width / 2);
    this.top = offset(canvas.height, height, centre ? height - centre[1] - 0.5 : height / 2);
  }

  /** A rectangle of texels as left, top, width and height in pixels. */
  place(x, y, width = 1, height = 1) {
    const { side } = this;
    return [this.left + x * side, this.top + (this.height - y - height) * side,
      width * side, height * side];
  }

  /** The texel at a pixel. */
  texel(px, py) {
    return [Math.floor((px - this.left) / this.side),
      this.height - 1 - Math.floor((py - this.top) / this.side)];
  }
}

/** A pixel a texel, on its way to a canvas. */
const texels = element('canvas');

/** Draws a stream as large as fits, and says where its texels lie. */
function drawPicture(canvas, shown, { zoom = 1, centre = null, numbersFrom = NUMBERS_FROM } = {}) {
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, canvas.width, canvas.height);
  const frame = new Frame(canvas, shown.size, zoom, centre);
  const image = imageOf(shown);
  if (texels.width !== image.width || texels.height !== image.height) {
    [texels.width, texels.height] = [image.width, image.height];
  }
  texels.getContext('2d').putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(texels, ...frame.place(0, 0, ...shown.size));
  const scale = window.devicePixelRatio || 1;
  if (frame.side >= LINES_FROM * scale) drawLines(context, frame, shown.size);
  const parts = shown.mode === 'all' ? partsOf(shown.channels)[0] : 1;
  if (frame.side / parts >= numbersFrom * scale) drawNumbers(context, frame, shown);
  return frame;
}

function drawLines(context, frame, [width, height]) {
  context.strokeStyle = 'rgba(90, 90, 90, 0.28)';
  context.lineWidth = 1;
  context.beginPath();
  const [left, top, all, high] = frame.place(0, 0, width, height);
  for (let x = 0; x <= width; x += 1) {
    context.moveTo(left + x * frame.side + 0.5, top);
    context.lineTo(left + x * frame.side + 0.5, top + high);
  }
  for (let y = 0; y <= height; y += 1) {
    context.moveTo(left, top + y * frame.side + 0.5);
    context.lineTo(left + all, top + y * frame.side + 0.5);
  }
  context.stroke();
}

function drawNumbers(context, frame, { data, size: [width, height], mode, channel, channels, peak }) {
  if (mode === 'colours') return;
  const parts = mode === 'all' ? partsOf(channels) : [1, 1];
  const used = mode === 'all' ? [...Array(channels).keys()] : [channel];
  const [wide, high] = [frame.side / parts[0], frame.side / parts[1]];
  context.font = `${Math.round(Math.min(wide * 0.2, high * 0.5, 30))}px ui-monospace, monospace`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [left, top] = frame.place(x, y);
      if (left + frame.side < 0 || top + frame.side < 0 || left > context.canvas.width
        || top > context.canvas.height) continue;
      for (const c of used) {
        const value = data[4 * (y * width + x) + c];
        const [column, row] = mode === 'all' ? placeOfPart(c, parts) : [0, 0];
        context.fillStyle = inkOn(colourOf(value, peak));
        context.fillText(shortNumber(value), left + (column + 0.5) * wide, top + (row + 0.5) * high);
      }
    }
  }
}

/** Outlines rectangles of texels: dark on light, so that they are seen on any colour. */
function outline(canvas, frame, rectangles, { colour = '#111', width = 2, dashed = false } = {}) {
  const context = canvas.getContext('2d');
  const scale = window.devicePixelRatio || 1;
  const strokeAll = (style, lineWidth, dashes) => {
    context.strokeStyle = style;
    context.lineWidth = lineWidth * scale;
    context.setLineDash(dashes);
    for (const rectangle of rectangles) context.strokeRect(...frame.place(...rectangle));
    context.setLineDash([]);
  };
  strokeAll('#fff', width + 2, []);
  strokeAll(colour, width, dashed ? [6 * scale, 4 * scale] : []);
}

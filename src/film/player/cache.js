// The texture cache of a card of 2003 (as src/card/cache.rs), and the order in which the fragments of a pass fetch.

/** A cache of 8 KB: lines of 32 bytes, hashed sets of four. */
const CACHE = { bytes: 8192, line: 32, ways: 4 };
/** Fragments come in tuples of 2 × 2; so many of them are a batch. */
const TUPLES = 128;
/** Textures begin at multiples of this number of bytes. */
const ALIGNMENT = 2 ** 24;

class TextureCache {
  constructor({ bytes, line, ways } = CACHE) {
    this.line = line;
    this.ways = ways;
    this.sets = Array.from({ length: bytes / line / ways }, () => []);
  }

  /** Fetches the byte at an address. Returns true if its line was in the cache. */
  fetch(address) {
    const line = Math.floor(address / this.line);
    // Each set has its lines from the one used last.
    const set = this.sets[(line ^ (line >> 7) ^ (line >> 13)) % this.sets.length];
    const place = set.indexOf(line);
    if (place >= 0) set.splice(place, 1);
    else if (set.length === this.ways) set.pop();
    set.unshift(line);
    return place >= 0;
  }
}

/** The batches of a pass: lists of fragments, in tuples along the rows of each rectangle. */
function batchesOf(film, event) {
  const rectangles = rectanglesOf(film, event);
  const chunks = (tuples) => Array.from({ length: Math.ceil(tuples.length / TUPLES) },
    (_, i) => tuples.slice(i * TUPLES, (i + 1) * TUPLES).flat());
  // A point is a tuple of its own.
  if (film.kernels[event.kernel].points) return chunks(rectangles.map(([x, y]) => [[x, y]]));
  return rectangles.flatMap(([left, bottom, width, height]) => {
    const isInside = ([x, y]) => x >= left && x < left + width && y >= bottom && y < bottom + height;
    const tuples = [];
    for (let y = bottom - (bottom % 2); y < bottom + height; y += 2) {
      for (let x = left - (left % 2); x < left + width; x += 2) {
        tuples.push([[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]].filter(isInside));
      }
    }
    return chunks(tuples);
  });
}

/** The addresses that each fragment of a batch fetches, in its order. */
function addressesOf(replay, event, batch) {
  const { film } = replay;
  let free = 0;
  const textures = Object.values(event.streams).map((stream) => {
    const { size: [width, height], channels } = film.streams[stream];
    const bytes = channels * bytesOfChannel(film.streams[stream]);
    const first = free;
    free = Math.ceil((first + width * height * bytes) / ALIGNMENT) * ALIGNMENT;
    return (x, y) => first + (y * width + x) * bytes;
  });
  const region = around(batch.map(([x, y]) => [x, y, 1, 1]));
  const [left, bottom, width] = region;
  const lists = batch.map(() => []);
  replay.probe(event, region, (report, scratch) => {
    let most = 1;
    for (let wanted = 0; wanted < most; wanted += 1) {
      report(wanted);
      const found = replay.readSurface(scratch, region);
      batch.forEach(([x, y], i) => {
        const [column, row, number, state] = found.subarray(4 * ((y - bottom) * width + x - left));
        if (state === NO_FRAGMENT) return;
        const count = state < 0 ? -1 - state : state;
        most = Math.max(most, count);
        if (wanted < count) lists[i].push(textures[number](column, row));
      });
    }
  });
  return lists;
}

/** Whether each fetch of each fragment is a hit: instruction by instruction, or fragment by fragment. */
function hitsOf(cache, lists, inBatches) {
  const hits = lists.map(() => []);
  if (inBatches) {
    const longest = Math.max(0, ...lists.map((list) => list.length));
    for (let i = 0; i < longest; i += 1) {
      lists.forEach((list, k) => { if (i < list.length) hits[k].push(cache.fetch(list[i])); });
    }
  } else {
    lists.forEach((list, k) => list.forEach((address) => hits[k].push(cache.fetch(address))));
  }
  return hits;
}

/**
 * The hits of one fragment's fetches among those of its batch, which begins with an empty cache, and the misses of the
 * batch: in batches, and fragment by fragment. Null if no batch has the fragment.
 */
function hitsAt(replay, event, x, y) {
  const isHere = ([column, row]) => column === x && row === y;
  const batch = batchesOf(replay.film, event).find((one) => one.some(isHere));
  if (!batch) return null;
  const lists = addressesOf(replay, event, batch);
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  return [true, false].map((inBatches) => {
    const hits = hitsOf(new TextureCache(), lists, inBatches);
    const missed = hits.reduce((sum, list) => sum + list.filter((hit) => !hit).length, 0);
    return { hits: hits[batch.findIndex(isHere)], missed, count, fragments: batch.length };
  });
}

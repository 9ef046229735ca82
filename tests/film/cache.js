// What a test does in a browser: send the fetches of every pass of some films through the player's texture cache.

/** Fetches and misses of each kernel, batch by batch and fragment by fragment. */
function missesOf(film) {
  const replay = new Replay(film);
  const found = {};
  for (const event of film.events) {
    replay.apply(event);
    if (event.kind !== 'pass') continue;
    const orders = [true, false].map((inBatches) => ({ inBatches, cache: new TextureCache() }));
    const sum = found[film.kernels[event.kernel].name] ??= [0, 0, 0];
    for (const batch of batchesOf(film, event)) {
      const lists = addressesOf(replay, event, batch);
      const [[x, y]] = batch;
      const alone = replay.fetchesAt(event, x, y).fetches.length;
      if (alone !== lists[0].length) throw new Error(`${x}, ${y}: ${alone} fetches, not ${lists[0].length}`);
      sum[0] += lists.flat().length;
      orders.forEach(({ inBatches, cache }, i) => {
        sum[i + 1] += hitsOf(cache, lists, inBatches).flat().filter((hit) => !hit).length;
      });
    }
  }
  return found;
}

function answer() {
  const films = [...document.querySelectorAll('.film')].map(({ id }) => id.slice('film-'.length));
  const bytes = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0)).buffer;
  return Object.fromEntries(films.map((name) =>
    [name, missesOf(decodeFilm(bytes(`film-${name}`), bytes(`floats-${name}`)))]));
}

try {
  window.parent.postMessage(answer(), '*');
} catch (error) {
  window.parent.postMessage({ error: `${error.message}\n${error.stack}` }, '*');
}

// The library below the player: the same Rust, compiled to WebAssembly. Texts, pictures and Play do without it; it is
// unpacked when somebody begins to edit.

const library = {
  /** Whether the page contains it, and nothing has failed. */
  isThere: Boolean(byId('wasm')),
  isReady: false,
  started: null,
  card: null,

  /** Unpacks and compiles it, once. Returns whether it runs. */
  load() {
    this.started ??= (async () => {
      try {
        await wasm_bindgen({ module_or_path: await unpackLibrary() });
        this.isReady = true;
      } catch (error) {
        this.isThere = false;
        this.reason = `${error.message || error}`;
      }
      return this.isReady;
    })();
    return this.started;
  },

  /** What is to be said of an assembled program: violations `[line, text]`, and its count. Null before it is loaded. */
  check(text) {
    return this.isReady ? JSON.parse(wasm_bindgen.check_program(text)) : null;
  },

  /** A scene filmed again here, with texts of programs by their names. An error is the library's own sentence. */
  async film({ scene, grid }, edits) {
    if (!await this.load()) throw new Unsupported(`The library does not run in this browser: ${this.reason}`);
    if (!this.card || this.gl.isContextLost()) {
      this.gl = webgl(document.createElement('canvas'));
      this.card = new wasm_bindgen.Card(this.gl);
    }
    let text;
    try {
      text = this.card.film(scene, Number(grid), JSON.stringify(Object.fromEntries(edits)));
    } catch (error) {
      // What has failed may still hold textures.
      this.card = null;
      throw new Unsupported(`${error.message || error}`);
    }
    return decodeFilm(...await Promise.all(text.split('.').map(unpack)));
  },
};

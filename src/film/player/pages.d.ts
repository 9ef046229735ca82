// What the scripts of the pages take for granted when they are checked (tsc --checkJs). No page contains this file.

/** GLSL of the sines that a page computes itself: gl/sines.glsl, put in front of the scripts. */
declare const SINES: string;
/** GLSL that translates a program to WebGL 2: gl/web.glsl, put in front of the scripts. */
declare const HEAD: string;
/** What wasm-bindgen writes for src/live/page.rs. */
declare const wasm_bindgen: any;

// Elements are found by their ids and classes, which say what kind they are.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document {
  readonly activeElement: any;
  getElementById(id: string): any;
}
// A film has the fields of its header, which the recorder in src/film/trace.rs describes.
interface Film {
  [field: string]: any;
}

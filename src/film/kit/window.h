/* What kit.c needs of a window system: glx.c for X11, wgl.c for Windows. */
#ifdef _WIN32
#include <windows.h>
#endif
#include <GL/gl.h>
#ifndef APIENTRY
#define APIENTRY
#endif

typedef void (APIENTRY *any)(void);

/* Opens a window with a current OpenGL context. Returns 0, or 1 after a message. */
int window_open(void);

/* The entry point of a name, or a null pointer. */
any window_entry(const char *name);

/* Seconds of a clock on the wall. */
double window_seconds(void);

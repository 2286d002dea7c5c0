// These functions stand before those of the C library of the same names: the linker takes the program's own first, for
// libserialport as well. Each does what the original does unless ports are laid and the call is about them.

#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "FakeSerialLines.h"

#if !defined(__linux__)

void fake_serial_lines_lay(const char *root) { (void)root; }

void fake_serial_lines_without_rights(void (*body)(void *context), void *context) { body(context); }

#else

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char laid_root[PATH_MAX];
static atomic_bool is_laid;
static atomic_int modem_lines;

void fake_serial_lines_lay(const char *root) {
  atomic_store(&is_laid, false);
  if (root == NULL || strlen(root) >= sizeof laid_root) return;
  strcpy(laid_root, root);
  atomic_store(&modem_lines, TIOCM_CTS | TIOCM_DSR | TIOCM_CAR);
  atomic_store(&is_laid, true);
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/// The place of a path among the laid ports, written into `buffer`; the path itself where it is not about them.
static const char *place_of(const char *path, char buffer[PATH_MAX]) {
  static const char *const laid[] = {"/sys/class/tty", "/dev/ttyUSB", "/dev/serial"};
  if (!atomic_load(&is_laid) || path == NULL) return path;
  for (size_t i = 0; i < sizeof laid / sizeof laid[0]; i++) {
    if (!begins_with(path, laid[i])) continue;
    int length = snprintf(buffer, PATH_MAX, "%s%s", laid_root, path);
    return length < PATH_MAX ? buffer : path;
  }
  return path;
}

/// The library's own function of a name.
static void *original(const char *name) { return dlsym(RTLD_NEXT, name); }

int open(const char *path, int flags, ...) {
  char buffer[PATH_MAX];
  mode_t mode = 0;
  if (flags & (O_CREAT | __O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return openat(AT_FDCWD, place_of(path, buffer), flags, mode);
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return open(path, flags); }

FILE *fopen(const char *path, const char *mode) {
  char buffer[PATH_MAX];
  FILE *(*real)(const char *, const char *) = original("fopen");
  return real(place_of(path, buffer), mode);
}

DIR *opendir(const char *path) {
  char buffer[PATH_MAX];
  DIR *(*real)(const char *) = original("opendir");
  return real(place_of(path, buffer));
}

int access(const char *path, int mode) {
  char buffer[PATH_MAX];
  return faccessat(AT_FDCWD, place_of(path, buffer), mode, 0);
}

int stat(const char *path, struct stat *status) {
  char buffer[PATH_MAX];
  return fstatat(AT_FDCWD, place_of(path, buffer), status, 0);
}

int lstat(const char *path, struct stat *status) {
  char buffer[PATH_MAX];
  return fstatat(AT_FDCWD, place_of(path, buffer), status, AT_SYMLINK_NOFOLLOW);
}

int __lxstat(int version, const char *path, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status) {
  (void)version;
  return lstat(path, status);
}

ssize_t readlink(const char *path, char *target, size_t size) {
  char buffer[PATH_MAX];
  return readlinkat(AT_FDCWD, place_of(path, buffer), target, size);
}

/// A laid port is a link to a pseudo-terminal, which its own name must not lead to: it is the end of the way.
char *realpath(const char *path, char *resolved) {
  char *(*real)(const char *, char *) = original("realpath");
  if (!atomic_load(&is_laid) || path == NULL || resolved != NULL) return real(path, resolved);
  char port[PATH_MAX];
  if (begins_with(path, "/dev/ttyUSB")) {
    snprintf(port, sizeof port, "%s", path);
  } else {
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    const char *slash = strrchr(target, '/');
    if (slash == NULL || !begins_with(slash, "/ttyUSB")) return real(path, NULL);
    snprintf(port, sizeof port, "/dev%s", slash);
  }
  return access(port, F_OK) == 0 ? strdup(port) : NULL;
}

static bool is_pseudo_terminal(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode) && major(status.st_rdev) >= 136 &&
         major(status.st_rdev) <= 143;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  long result = syscall(SYS_ioctl, descriptor, request, argument);
  if (result >= 0 || errno != ENOTTY || !atomic_load(&is_laid) || !is_pseudo_terminal(descriptor)) return (int)result;
  int *lines = argument;
  switch (request) {
    case TIOCMGET: *lines = atomic_load(&modem_lines); return 0;
    case TIOCMSET: atomic_store(&modem_lines, *lines); return 0;
    case TIOCMBIS: atomic_fetch_or(&modem_lines, *lines); return 0;
    case TIOCMBIC: atomic_fetch_and(&modem_lines, ~*lines); return 0;
    default: return -1;
  }
}

/// The system calls themselves change one thread; the library's functions of these names change all of them.
void fake_serial_lines_without_rights(void (*body)(void *context), void *context) {
  const uid_t nobody = 65534;
  bool is_root = geteuid() == 0;
  if (is_root) syscall(SYS_setresuid, -1, nobody, 0);
  body(context);
  if (is_root) syscall(SYS_setresuid, -1, 0, -1);
}

#endif

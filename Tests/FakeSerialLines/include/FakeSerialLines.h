#ifndef FAKE_SERIAL_LINES_H
#define FAKE_SERIAL_LINES_H

/// Puts the ports of a directory in the place of this machine's, for all of this process: what is asked of
/// /sys/class/tty, /dev/ttyUSB* and /dev/serial is answered from `root`/sys/class/tty and so on, and a pseudo-terminal
/// answers for modem lines, which it has not. So the real libserialport takes one for a port on USB.
///
/// NULL gives the machine its own ports back. Linux only; elsewhere nothing happens.
void fake_serial_lines_lay(const char *root);

/// Runs `body` as a user without any rights, on this thread only. Where this process is not root's, as it is.
void fake_serial_lines_without_rights(void (*body)(void *context), void *context);

#endif

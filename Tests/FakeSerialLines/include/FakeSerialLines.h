/// Whether this library is linked in. Whoever asks it keeps the linker from leaving its functions out.
int fake_serial_lines_are_linked(void);

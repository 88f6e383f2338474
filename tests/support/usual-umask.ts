/** Server tests share a process: one that made a data folder has left it a umask under which no other user reads what the next one writes. */
process.umask(0o022)

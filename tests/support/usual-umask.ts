/** Server tests share a process, and making a data folder leaves a umask that hides later files from other users. */
process.umask(0o022)

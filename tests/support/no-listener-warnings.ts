/** Node writes such a warning beside the server's log, where an operator would take it for a leak. */
const fail = ({ name, message }: Error) => {
  if (name === 'MaxListenersExceededWarning') throw new Error(message)
}

// files share a process
if (!process.listeners('warning').some((listener) => listener.name === fail.name)) process.on('warning', fail)

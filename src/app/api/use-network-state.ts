import { useSyncExternalStore } from 'react'
import { network, type NetworkState } from './network.ts'

export function useNetworkState(): NetworkState {
  return useSyncExternalStore(network.subscribe, network.state)
}

export function useReachable(): boolean {
  return useNetworkState() !== 'offline'
}

/** Whether the API cannot be reached because something replies in its place. */
export function useIsReplaced(): boolean {
  return useSyncExternalStore(network.subscribe, network.isReplaced)
}

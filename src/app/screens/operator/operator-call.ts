import { isApiError } from '#app/api/api-error.ts'
import { callWith, type CallArguments, type CallOptions } from '#app/api/call.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'

/** Makes a call as the operator. Rejects with `ApiError`. */
export type OperatorCall = <E extends Endpoint>(endpoint: E, ...given: CallArguments<E, CallOptions>) => Promise<ReplyOf<E>>

/** @param onRefused called if the server does not take the key */
export function operatorCallWith(operatorKey: string, onRefused: () => void): OperatorCall {
  return async (endpoint, ...[request, options]) => {
    try {
      return await callWith(endpoint, request ?? {}, options ?? {}, operatorKey)
    } catch (error) {
      if (isApiError(error) && error.code === 'INVALID_TOKEN') onRefused()
      throw error
    }
  }
}

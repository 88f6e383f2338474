/**
 * What the `device` and the `client` of a sign-in challenge stand for, and the `device` of counts:
 *
 *     22 letters  as `device` a known one (known-device.ts); as `client` the id that a device sent, as a hash (`clientOf`)
 *     ~ a hash    as `device`: all unknown devices at a network address (`unknownDeviceAt`)
 *     ~ an id     as `client`: a device without an id, in one sign-in
 *     @ a hash    only of counts: an unknown device that sent an id
 *     *           only of counts: all unknown devices together
 *     !close      as `device`: closing an account; the `client` is then the session that asked for it
 *     nothing     from before these were distinguished
 */

export const ALL_UNKNOWN_DEVICES = '*'

/** Takes the place of a device id, so that codes and guesses for closing an account are counted separately from sign-ins. */
export const CLOSING_DEVICE = '!close'

/** @param hash of the network address, which itself is not stored */
export const ofAddress = (hash: string) => `~${hash}`

/** Never equal to a `clientOf`. */
export const ofUnnamed = (challengeId: string) => `~${challengeId}`

const ofClient = (client: string) => `@${client}`

const isNoDevice = (text: string) => text === '' || text.startsWith('~')

/** Whether a `device` stands for a network address, or is '' from before these were distinguished. */
export const isUnknownDevice = (device: string) => isNoDevice(device)

/** Whether a `client` is not a device's id. */
export const isUnnamed = (client: string) => isNoDevice(client)

/** The `device` column of the row whose attempts and mails are used first: a known device's, else the sent id's, else the network address's. */
export const countsKeyOf = ({ device, client }: { device: string; client: string }) =>
  isUnknownDevice(device) && !isUnnamed(client) ? ofClient(client) : device

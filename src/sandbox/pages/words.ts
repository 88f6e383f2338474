import type { CardRefusal } from '../card-provider/test-cards.ts'

/**
 * Texts of the pages under /dev/. They are not in `locales/`, because they are not part of the product; those of the card frame are
 * the provider's wording.
 */
export type DevLanguage = 'en' | 'fr'

interface DevWords {
  testPayments: string
  noMoney: string
  testCards: string
  cardNumber: string
  expiry: string
  expiryHint: string
  cvc: string
  pay: string
  processing: string
  paid: string
  amount: string
  expired: string
  unreachable: string
  notFound: string
  refusals: Record<CardRefusal['code'], string>
  mailbox: string
  mailboxEmpty: string
  mailboxFilter: string
  show: string
  showAll: string
  to: string
  newest: string
  control: string
  behaviour: string
  apply: string
  release: string
  releaseReversed: string
  sessions: string
  noSessions: string
  deliver: string
  deliverTwice: string
  expire: string
  settlePaid: string
  settleFailed: string
  refundCents: string
  refund: string
  dispute: string
  disputeWon: string
  gallery: string
  pages: string
}

export const devWords: Record<DevLanguage, DevWords> = {
  en: {
    testPayments: 'TEST PAYMENTS',
    noMoney: 'No card is charged here.',
    testCards: '4242\u00a04242\u00a04242\u00a04242 pays, 4000\u00a00000\u00a00000\u00a00002 is declined; any future date, any CVC.',
    cardNumber: 'Card number',
    expiry: 'Expiry',
    expiryHint: 'MM / YY',
    cvc: 'CVC',
    pay: 'Pay',
    processing: 'Processing…',
    paid: 'Paid. One moment…',
    amount: 'Amount',
    expired: 'This checkout session has expired.',
    unreachable: 'We got no reply, so we cannot tell whether you have paid. Check your connection and try again: nobody pays twice.',
    notFound: 'There is no such checkout session.',
    refusals: {
      incomplete_number: 'Your card number is incomplete.',
      invalid_number: 'Your card number is invalid.',
      incomplete_expiry: "Your card's expiration date is incomplete.",
      invalid_expiry_month_past: "Your card's expiration date is in the past.",
      invalid_expiry_year_past: "Your card's expiration year is in the past.",
      incomplete_cvc: "Your card's security code is incomplete.",
      card_declined: 'Your card was declined.',
      insufficient_funds: 'Your card has insufficient funds.',
      expired_card: 'Your card has expired.',
      incorrect_cvc: "Your card's security code is incorrect.",
      processing_error: 'An error occurred while processing your card. Try again in a little bit.',
      test_mode_live_card: 'Your card was declined. Your request was in test mode, but used a non test card.',
    },
    mailbox: 'Mailbox',
    mailboxEmpty: 'No mail yet.',
    mailboxFilter: 'Only mail to',
    show: 'Show',
    showAll: 'Show all',
    to: 'To',
    newest: 'Newest first',
    control: 'Payment sandbox',
    behaviour: 'Behaviour',
    apply: 'Apply',
    release: 'Deliver held events in order',
    releaseReversed: 'Deliver held events in reverse order',
    sessions: 'Checkout sessions',
    noSessions: 'No checkout session yet.',
    deliver: 'Deliver again',
    deliverTwice: 'Deliver twice',
    expire: 'Expire',
    settlePaid: 'Settle: paid',
    settleFailed: 'Settle: failed',
    refundCents: 'Refund, in cents',
    refund: 'Refund',
    dispute: 'Dispute: the bank takes it back',
    disputeWon: 'Dispute: won',
    gallery: 'Gallery: the pieces of the screens',
    pages: 'Demo pages',
  },
  fr: {
    testPayments: 'PAIEMENTS DE TEST',
    noMoney: 'Aucune carte n’est débitée ici.',
    testCards:
      '4242\u00a04242\u00a04242\u00a04242 paie, 4000\u00a00000\u00a00000\u00a00002 est refusée\u202f; toute date à venir, tout CVC.',
    cardNumber: 'Numéro de carte',
    expiry: 'Expiration',
    expiryHint: 'MM / AA',
    cvc: 'CVC',
    pay: 'Payer',
    processing: 'Traitement en cours…',
    paid: 'Payé. Un instant…',
    amount: 'Montant',
    expired: 'Cette session de paiement a expiré.',
    unreachable:
      'Aucune réponse n’est arrivée\u00a0: impossible de savoir si tu as payé. Vérifie ta connexion et réessaie\u00a0: tu ne paieras pas deux fois.',
    notFound: 'Cette session de paiement n’existe pas.',
    refusals: {
      incomplete_number: 'Ton numéro de carte est incomplet.',
      invalid_number: 'Ton numéro de carte n’est pas valide.',
      incomplete_expiry: 'La date d’expiration de ta carte est incomplète.',
      invalid_expiry_month_past: 'La date d’expiration de ta carte est passée.',
      invalid_expiry_year_past: 'L’année d’expiration de ta carte est passée.',
      incomplete_cvc: 'Le code de sécurité de ta carte est incomplet.',
      card_declined: 'Ta carte a été refusée.',
      insufficient_funds: 'Il n’y a pas assez d’argent sur ta carte.',
      expired_card: 'Ta carte a expiré.',
      incorrect_cvc: 'Le code de sécurité de ta carte est incorrect.',
      processing_error: 'Une erreur est survenue pendant le traitement de ta carte. Réessaie dans un instant.',
      test_mode_live_card: 'Ta carte a été refusée. Ce paiement est un test, mais la carte n’est pas une carte de test.',
    },
    mailbox: 'Boîte de réception',
    mailboxEmpty: 'Aucun message pour l’instant.',
    mailboxFilter: 'Seulement les messages à',
    show: 'Afficher',
    showAll: 'Tout afficher',
    to: 'À',
    newest: 'Les plus récents d’abord',
    control: 'Bac à sable des paiements',
    behaviour: 'Comportement',
    apply: 'Appliquer',
    release: 'Livrer les événements retenus, dans l’ordre',
    releaseReversed: 'Livrer les événements retenus, en ordre inverse',
    sessions: 'Sessions de paiement',
    noSessions: 'Aucune session de paiement pour l’instant.',
    deliver: 'Livrer encore',
    deliverTwice: 'Livrer deux fois',
    expire: 'Faire expirer',
    settlePaid: 'Régler\u00a0: payé',
    settleFailed: 'Régler\u00a0: échoué',
    refundCents: 'À rembourser, en cents',
    refund: 'Rembourser',
    dispute: 'Litige\u00a0: la banque reprend l’argent',
    disputeWon: 'Litige\u00a0: gagné',
    gallery: 'Galerie\u00a0: les pièces des écrans',
    pages: 'Pages de démonstration',
  },
}

/** `?lang=` first, then what the browser prefers, then English. */
export function devLanguage(wanted: string | null, acceptLanguage: string | undefined): DevLanguage {
  return /^fr\b/i.test(wanted ?? acceptLanguage ?? '') ? 'fr' : 'en'
}

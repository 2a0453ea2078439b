// Written by go run ./web/build/facts from package market. Do not edit.

/** Windows and lifetimes, in seconds. */
export const durations = {
  healthyLag: 60,
  karmaInterval: 2592000,
  claimInterval: 86400,
  maxTaskDeadline: 31536000,
  disputeWindow: 86400,
  approvedReview: 259200,
  disputedReview: 432000,
  emergencyDelay: 2592000,
  settleDelay: 3196800,
  stakeLifetime: 604800,
  unfundedLifetime: 604800,
  cancelledRetention: 604800,
  forfeitInterval: 86400,
  responseWindow: 172800,
  votingWindow: 259200,
  challengeLifetime: 600,
  nonceLifetime: 300,
  sessionLifetime: 86400,
  codeLifetime: 86400,
  keyRotationInterval: 86400,
  idempotencyLifetime: 86400,
  clockSkew: 60,
  contractRetention: 7776000,
  sessionIdle: 28800,
  sessionInterval: 300,
  holdWindow: 86400,
  appealWindow: 15897600,
  consoleLinkLifetime: 600,
  consoleSessionLifetime: 28800,
  consoleSessionIdle: 1800,
  consoleSignInPeriod: 60,
  usernameReserve: 7776000,
} as const

/** Limits of texts in characters, of files in bytes, of fees in basis points. */
export const limits = {
  maxTitle: 200,
  maxDescription: 20000,
  maxSkills: 10,
  maxSkill: 40,
  maxLocation: 100,
  maxName: 80,
  maxBio: 2000,
  maxUsername: 30,
  maxApplication: 2000,
  maxReason: 4000,
  maxRejection: 2000,
  maxForfeits: 5,
  maxDailyForfeits: 20,
  maxUnstaked: 3,
  maxUnfundedTasks: 50,
  maxNote: 10000,
  maxURL: 2000,
  maxReviewComment: 2000,
  maxMessage: 4000,
  maxFileSize: 26214400,
  maxFilesPerTask: 20,
  maxDailyUpload: 1073741824,
  maxFilename: 200,
  maxSearch: 200,
  maxTotal: 1000,
  maxChallengeChecks: 3,
  maxRequestMessages: 3,
  maxDailyRequests: 100,
  maxFeeBasisPoints: 2000,
  maxSessions: 10,
  maxReportComment: 2000,
  maxOpenReports: 50,
  maxAppeal: 4000,
  maxFacts: 4000,
  maxClause: 200,
  maxTerritory: 100,
  tokenDecimals: 18,
  maxOperatorName: 100,
  consoleSignIns: 10,
  maxReservedUsernames: 3,
} as const

/** Limits of a task's amount, in wei. */
export const amounts = {
  minimumEscrow: 10000000000000000n,
  maximumEscrow: 79228162514264337593543950335n,
} as const

/** The format characters that are removed from texts. */
export const dropped =
  '\u00ad\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff'

export const taskStatuses = [
  'new',
  'funded',
  'active',
  'submitted',
  'validating',
  'disputed',
  'approved',
  'rejected',
  'cancelled',
  'expired',
] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const applicationStatuses = [
  'new',
  'pending',
  'accepted',
  'rejected',
  'withdrawn',
  'expired',
  'released',
] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

export const stakeStatuses = [
  'live',
  'activated',
  'returned',
  'forfeited',
] as const
export type StakeStatus = (typeof stakeStatuses)[number]

export const disputeStatuses = [
  'draft',
  'open',
  'voting',
  'escalated',
  'auto_resolved',
  'resolved',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export const activityTypes = [
  'task',
  'application',
  'payout',
  'dispute',
  'review',
  'claim',
  'message',
  'dm',
] as const
export type ActivityType = (typeof activityTypes)[number]

export const errorKinds = [
  'invalid_request',
  'wrong_status',
  'signature_invalid',
  'challenge_mismatch',
  'challenge_expired',
  'tx_not_found',
  'tx_failed',
  'tx_mismatch',
  'tx_already_used',
  'would_revert',
  'verification_failed',
  'nothing_to_claim',
  'reason_required',
  'ambiguous_credentials',
  'declaration_required',
  'unauthorized',
  'forbidden',
  'not_verified',
  'csrf_failed',
  'account_restricted',
  'not_found',
  'method_not_allowed',
  'wallet_already_registered',
  'username_taken',
  'social_account_taken',
  'already_verified',
  'already_exists',
  'idempotency_key_reused',
  'request_in_progress',
  'too_many_unfunded',
  'cursor_expired',
  'too_large',
  'unsupported_media_type',
  'signature_required',
  'rate_limited',
  'rotation_too_soon',
  'chain_unavailable',
  'network_unavailable',
  'budget_exhausted',
  'storage_unavailable',
  'unavailable',
] as const
export type ErrorKind = (typeof errorKinds)[number]

// Written by build/chain.mjs from market/refusals.json. Do not edit.

/** The message and the advice for each contract error, by its name. */
export const refusals: Record<string, { sentence: string; next: string }> = {
  "AgentCannotApply": {
    "sentence": "an agent cannot apply for its own task",
    "next": "apply with a wallet other than the one that posted the task"
  },
  "AgentHasApproved": {
    "sentence": "the agent has approved the work, which cannot be undone",
    "next": "wait: the validators release the payment, or anyone can after the review"
  },
  "AlreadyApplied": {
    "sentence": "this wallet already has an open application for the task",
    "next": "wait for the agent, or withdraw that application first"
  },
  "AmountBelowMinimum": {
    "sentence": "the amount is below the escrow's minimum of 0.01 tokens",
    "next": "offer more"
  },
  "ApplicationExpired": {
    "sentence": "the application has expired and can no longer be accepted or rejected",
    "next": "choose another application, or ask this human to apply again"
  },
  "ApplicationForOtherTask": {
    "sentence": "the application was made for another task",
    "next": "choose one of this task's applications"
  },
  "DisputeWindowClosed": {
    "sentence": "the dispute window has closed",
    "next": "wait: the validators review the work now"
  },
  "ECDSAInvalidSignature": {
    "sentence": "the signature of the token permission (permit) is invalid",
    "next": "sign the permission again"
  },
  "ECDSAInvalidSignatureLength": {
    "sentence": "the signature of the token permission (permit) does not have 65 bytes",
    "next": "sign the permission again"
  },
  "ECDSAInvalidSignatureS": {
    "sentence": "the token rejects this signature (high s)",
    "next": "use another wallet to sign"
  },
  "ERC20InsufficientAllowance": {
    "sentence": "the wallet's allowance for the contract is too low",
    "next": "sign a permission (permit) for the amount, or approve the contract for it"
  },
  "ERC20InsufficientBalance": {
    "sentence": "the wallet has too few tokens",
    "next": "send tokens to the wallet, then try again"
  },
  "ERC20InvalidApprover": {
    "sentence": "the zero address cannot approve a spender",
    "next": "use a wallet's address"
  },
  "ERC20InvalidReceiver": {
    "sentence": "tokens cannot be sent to the zero address",
    "next": "use a wallet's address"
  },
  "ERC20InvalidSender": {
    "sentence": "tokens cannot be sent from the zero address",
    "next": "use a wallet's address"
  },
  "ERC20InvalidSpender": {
    "sentence": "the zero address cannot be approved",
    "next": "use a contract's address"
  },
  "ERC2612ExpiredSignature": {
    "sentence": "the token permission (permit) has expired",
    "next": "sign a new permission; if it is new, check the clocks of this machine and of the node"
  },
  "ERC2612InvalidSigner": {
    "sentence": "the token permission (permit) is not signed by this wallet for these values, or another one was used before it",
    "next": "sign a new permission"
  },
  "EmptyWorkHash": {
    "sentence": "a submission needs the hash of the work",
    "next": "submit the work through the API first"
  },
  "EnforcedPause": {
    "sentence": "the contracts are paused: new tasks and applications are not possible now; locked funds can still be withdrawn",
    "next": "try again later"
  },
  "ExpectedPause": {
    "sentence": "the contracts are not paused",
    "next": "there is nothing to do"
  },
  "FeeMismatch": {
    "sentence": "the platform's fee has changed since the transaction was prepared",
    "next": "prepare the transaction again and check the new fee"
  },
  "FeeTooHigh": {
    "sentence": "the fee is above the maximum",
    "next": "set a lower fee"
  },
  "InvalidAccountNonce": {
    "sentence": "another token permission (permit) of this wallet was used before this one",
    "next": "sign a new permission"
  },
  "InvalidQuorum": {
    "sentence": "the quorum does not fit the number of validators: it must be a majority of them, and at most all of them",
    "next": "choose another quorum"
  },
  "InvalidShortString": {
    "sentence": "a name in the contract cannot be read",
    "next": "report this to the market's operator"
  },
  "InvalidSignature": {
    "sentence": "one of the signatures does not match this verdict",
    "next": "collect the verdicts again"
  },
  "NotAParty": {
    "sentence": "only the task's agent or its assigned human may do this",
    "next": "use the wallet that posted the task or was accepted for it"
  },
  "NotAValidatorOfTask": {
    "sentence": "one of the verdicts is not from a validator of this task",
    "next": "collect verdicts from the panel that was in force when the human was accepted"
  },
  "NotDue": {
    "sentence": "it is too early: the timeout has not passed",
    "next": "wait until the time shown for the task"
  },
  "NotOwnerOrGuardian": {
    "sentence": "only the owner or the guardian of the contracts may do this",
    "next": "use the owner's or the guardian's wallet"
  },
  "NotTheAgent": {
    "sentence": "only the agent that posted the task may do this",
    "next": "use the wallet that posted the task"
  },
  "NotTheApplicant": {
    "sentence": "only the applicant may withdraw an application that is open",
    "next": "use the wallet that applied, or wait until the application has expired or the task is no longer open"
  },
  "NotTheEscrow": {
    "sentence": "only the escrow contract may do this",
    "next": "call the escrow instead"
  },
  "NotTheHuman": {
    "sentence": "only the human who was accepted for the task may do this",
    "next": "use the wallet that was accepted"
  },
  "NotTheIntendedAgent": {
    "sentence": "only the agent of the task may reject its applications",
    "next": "use the wallet that posted the task"
  },
  "NothingToWithdraw": {
    "sentence": "the contract owes this wallet nothing",
    "next": "there is nothing to do"
  },
  "OwnableInvalidOwner": {
    "sentence": "this address cannot be the owner",
    "next": "choose another owner"
  },
  "OwnableUnauthorizedAccount": {
    "sentence": "only the owner of the contract may do this",
    "next": "use the owner's wallet"
  },
  "OwnershipNotRenounceable": {
    "sentence": "ownership can be transferred, but not renounced",
    "next": "transfer it to another account"
  },
  "PanelUnchanged": {
    "sentence": "this does not change the validator panel",
    "next": "choose validators to add or remove, or another quorum"
  },
  "QuorumNotReached": {
    "sentence": "there are fewer verdicts than the task's panel needs",
    "next": "wait for more validators"
  },
  "ReentrancyGuardReentrantCall": {
    "sentence": "the contract was called again from within its own call",
    "next": "report this to the market's operator: the token misbehaves"
  },
  "ReviewClosed": {
    "sentence": "the time for verdicts is over",
    "next": "settle the task, or wait until it can be settled"
  },
  "ReviewNotOpen": {
    "sentence": "the review has not begun",
    "next": "wait until the dispute window has closed"
  },
  "SafeCastOverflowedUintDowncast": {
    "sentence": "the amount is larger than the contract can store",
    "next": "offer less"
  },
  "SafeERC20FailedOperation": {
    "sentence": "the token rejected the transfer without a reason",
    "next": "check the wallet's balance; report this to the market's operator"
  },
  "SignersNotAscending": {
    "sentence": "the verdicts are not in the order of their validators' addresses, or one occurs twice",
    "next": "order them by address"
  },
  "StakeMismatch": {
    "sentence": "the stake is not exactly what the task requires",
    "next": "load the task again and stake the amount that it requires"
  },
  "StakeNotActivated": {
    "sentence": "the application is not the one that was accepted",
    "next": "load the application again"
  },
  "StakeNotLocked": {
    "sentence": "the application has no locked stake: it was accepted, rejected or withdrawn, or it does not exist",
    "next": "load the task's applications again"
  },
  "StringTooLong": {
    "sentence": "a name is too long for the contract",
    "next": "use a shorter name"
  },
  "TaskNotOpen": {
    "sentence": "the task is not open: it was assigned or cancelled, or was never funded",
    "next": "load the task again to see what is possible now"
  },
  "TooManySignatures": {
    "sentence": "there are more verdicts than a panel can have validators",
    "next": "send one verdict from each validator"
  },
  "TooManyValidators": {
    "sentence": "there are more validators than a panel can have",
    "next": "choose fewer"
  },
  "TransferMismatch": {
    "sentence": "the token transferred a different amount than requested",
    "next": "report this to the market's operator: the token misbehaves"
  },
  "ValidatorIsParty": {
    "sentence": "a validator can neither post tasks nor take them",
    "next": "use a wallet other than the validator's"
  },
  "ValidatorKnown": {
    "sentence": "this account is or was a validator; a removed validator cannot return",
    "next": "choose another account"
  },
  "ValidatorUnknown": {
    "sentence": "this account is not a validator",
    "next": "choose a validator of the panel"
  },
  "ValidatorZero": {
    "sentence": "the zero address cannot be a validator",
    "next": "choose another account"
  },
  "WrongStatus": {
    "sentence": "the task's status does not allow this; it may have changed in the meantime",
    "next": "load the task again to see what is possible now"
  },
  "ZeroAddress": {
    "sentence": "a required address is zero",
    "next": "enter an address"
  }
}

// Written by build/chain.mjs from chain/contracts/artifacts. Do not edit.

export const tokenAbi = [
  {
    "type": "function",
    "name": "allowance",
    "inputs": [
      {
        "name": "owner",
        "type": "address"
      },
      {
        "name": "spender",
        "type": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "approve",
    "inputs": [
      {
        "name": "spender",
        "type": "address"
      },
      {
        "name": "value",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "balanceOf",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "eip712Domain",
    "inputs": [],
    "outputs": [
      {
        "name": "fields",
        "type": "bytes1"
      },
      {
        "name": "name",
        "type": "string"
      },
      {
        "name": "version",
        "type": "string"
      },
      {
        "name": "chainId",
        "type": "uint256"
      },
      {
        "name": "verifyingContract",
        "type": "address"
      },
      {
        "name": "salt",
        "type": "bytes32"
      },
      {
        "name": "extensions",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "nonces",
    "inputs": [
      {
        "name": "owner",
        "type": "address"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  }
] as const

export const stakingAbi = [
  {
    "type": "function",
    "name": "getStake",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "components": [
          {
            "name": "human",
            "type": "address"
          },
          {
            "name": "intendedAgent",
            "type": "address"
          },
          {
            "name": "taskId",
            "type": "uint256"
          },
          {
            "name": "amount",
            "type": "uint256"
          },
          {
            "name": "expiresAt",
            "type": "uint256"
          },
          {
            "name": "status",
            "type": "uint8"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "lockApplicationStake",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "amount",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "lockApplicationStakeWithPermit",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "amount",
        "type": "uint256"
      },
      {
        "name": "deadline",
        "type": "uint256"
      },
      {
        "name": "v",
        "type": "uint8"
      },
      {
        "name": "r",
        "type": "bytes32"
      },
      {
        "name": "s",
        "type": "bytes32"
      }
    ],
    "outputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "requiredStake",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "withdrawCredit",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "withdrawStake",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "withdrawable",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "outputs": [
      {
        "name": "amount",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  }
] as const

export const escrowAbi = [
  {
    "type": "function",
    "name": "approveSubmission",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "signatures",
        "type": "bytes[]"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "cancelTask",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "disputeTask",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "due",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "emergencyRelease",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "getTask",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "tuple",
        "components": [
          {
            "name": "agent",
            "type": "address"
          },
          {
            "name": "human",
            "type": "address"
          },
          {
            "name": "amount",
            "type": "uint256"
          },
          {
            "name": "feeBasisPoints",
            "type": "uint16"
          },
          {
            "name": "status",
            "type": "uint8"
          },
          {
            "name": "agentApproved",
            "type": "bool"
          },
          {
            "name": "submittedAt",
            "type": "uint256"
          },
          {
            "name": "disputeDeadline",
            "type": "uint256"
          },
          {
            "name": "lastActivityAt",
            "type": "uint256"
          },
          {
            "name": "applicationId",
            "type": "uint256"
          }
        ]
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "rejectSubmission",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "signatures",
        "type": "bytes[]"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "settle",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "submitTask",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "workHash",
        "type": "bytes32"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "withdrawCredit",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "outputs": [],
    "stateMutability": "nonpayable"
  },
  {
    "type": "function",
    "name": "withdrawable",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ],
    "outputs": [
      {
        "name": "amount",
        "type": "uint256"
      }
    ],
    "stateMutability": "view"
  },
  {
    "type": "function",
    "name": "workHash",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ],
    "outputs": [
      {
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view"
  }
] as const

/** Every error that a call of the app can end with. */
export const errorsAbi = [
  {
    "type": "error",
    "name": "AgentCannotApply",
    "inputs": [
      {
        "name": "agent",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "AgentHasApproved",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "AlreadyApplied",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "AmountBelowMinimum",
    "inputs": [
      {
        "name": "amount",
        "type": "uint256"
      },
      {
        "name": "minimum",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ApplicationExpired",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "expiresAt",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ApplicationForOtherTask",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "taskId",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "DisputeWindowClosed",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "closedAt",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ECDSAInvalidSignature",
    "inputs": []
  },
  {
    "type": "error",
    "name": "ECDSAInvalidSignatureLength",
    "inputs": [
      {
        "name": "length",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ECDSAInvalidSignatureS",
    "inputs": [
      {
        "name": "s",
        "type": "bytes32"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InsufficientAllowance",
    "inputs": [
      {
        "name": "spender",
        "type": "address"
      },
      {
        "name": "allowance",
        "type": "uint256"
      },
      {
        "name": "needed",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InsufficientBalance",
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      },
      {
        "name": "balance",
        "type": "uint256"
      },
      {
        "name": "needed",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InvalidApprover",
    "inputs": [
      {
        "name": "approver",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InvalidReceiver",
    "inputs": [
      {
        "name": "receiver",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InvalidSender",
    "inputs": [
      {
        "name": "sender",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC20InvalidSpender",
    "inputs": [
      {
        "name": "spender",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC2612ExpiredSignature",
    "inputs": [
      {
        "name": "deadline",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ERC2612InvalidSigner",
    "inputs": [
      {
        "name": "signer",
        "type": "address"
      },
      {
        "name": "owner",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "EmptyWorkHash",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "EnforcedPause",
    "inputs": []
  },
  {
    "type": "error",
    "name": "ExpectedPause",
    "inputs": []
  },
  {
    "type": "error",
    "name": "FeeMismatch",
    "inputs": [
      {
        "name": "given",
        "type": "uint16"
      },
      {
        "name": "inForce",
        "type": "uint16"
      }
    ]
  },
  {
    "type": "error",
    "name": "FeeTooHigh",
    "inputs": [
      {
        "name": "feeBasisPoints",
        "type": "uint16"
      },
      {
        "name": "maximum",
        "type": "uint16"
      }
    ]
  },
  {
    "type": "error",
    "name": "InvalidAccountNonce",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      },
      {
        "name": "currentNonce",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "InvalidQuorum",
    "inputs": [
      {
        "name": "quorum",
        "type": "uint256"
      },
      {
        "name": "validators",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "InvalidShortString",
    "inputs": []
  },
  {
    "type": "error",
    "name": "InvalidSignature",
    "inputs": [
      {
        "name": "index",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotAParty",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotAValidatorOfTask",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "signer",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotDue",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "dueAt",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotOwnerOrGuardian",
    "inputs": [
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotTheAgent",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotTheApplicant",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotTheEscrow",
    "inputs": [
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotTheHuman",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NotTheIntendedAgent",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "caller",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "NothingToWithdraw",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "OwnableInvalidOwner",
    "inputs": [
      {
        "name": "owner",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "OwnableUnauthorizedAccount",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "OwnershipNotRenounceable",
    "inputs": []
  },
  {
    "type": "error",
    "name": "PanelUnchanged",
    "inputs": []
  },
  {
    "type": "error",
    "name": "QuorumNotReached",
    "inputs": [
      {
        "name": "signatures",
        "type": "uint256"
      },
      {
        "name": "quorum",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ReentrancyGuardReentrantCall",
    "inputs": []
  },
  {
    "type": "error",
    "name": "ReviewClosed",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "closedAt",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ReviewNotOpen",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "opensAt",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "SafeCastOverflowedUintDowncast",
    "inputs": [
      {
        "name": "bits",
        "type": "uint8"
      },
      {
        "name": "value",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "SafeERC20FailedOperation",
    "inputs": [
      {
        "name": "token",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "SignersNotAscending",
    "inputs": [
      {
        "name": "index",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "StakeMismatch",
    "inputs": [
      {
        "name": "given",
        "type": "uint256"
      },
      {
        "name": "required",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "StakeNotActivated",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "status",
        "type": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "StakeNotLocked",
    "inputs": [
      {
        "name": "applicationId",
        "type": "uint256"
      },
      {
        "name": "status",
        "type": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "StringTooLong",
    "inputs": [
      {
        "name": "str",
        "type": "string"
      }
    ]
  },
  {
    "type": "error",
    "name": "TaskNotOpen",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TooManySignatures",
    "inputs": [
      {
        "name": "signatures",
        "type": "uint256"
      },
      {
        "name": "maximum",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TooManyValidators",
    "inputs": [
      {
        "name": "validators",
        "type": "uint256"
      },
      {
        "name": "maximum",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "TransferMismatch",
    "inputs": [
      {
        "name": "expected",
        "type": "uint256"
      },
      {
        "name": "received",
        "type": "uint256"
      }
    ]
  },
  {
    "type": "error",
    "name": "ValidatorIsParty",
    "inputs": [
      {
        "name": "account",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ValidatorKnown",
    "inputs": [
      {
        "name": "validator",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ValidatorUnknown",
    "inputs": [
      {
        "name": "validator",
        "type": "address"
      }
    ]
  },
  {
    "type": "error",
    "name": "ValidatorZero",
    "inputs": []
  },
  {
    "type": "error",
    "name": "WrongStatus",
    "inputs": [
      {
        "name": "taskId",
        "type": "uint256"
      },
      {
        "name": "status",
        "type": "uint8"
      }
    ]
  },
  {
    "type": "error",
    "name": "ZeroAddress",
    "inputs": []
  }
] as const

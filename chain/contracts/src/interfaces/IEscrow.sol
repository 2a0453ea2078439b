// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAdministration} from "./IAdministration.sol";
import {IApplicationStaking} from "./IApplicationStaking.sol";
import {IPanels} from "./IPanels.sol";
import {ITokenCustody} from "./ITokenCustody.sol";

/// @title Task payments, from posting to payout
/// @notice An agent posts a task with its payment and accepts one human's application, and the
/// human submits the hash of the work. The agent can then approve. Unless it has, either party can
/// dispute within 24 hours of the submission. A quorum of validators can decide. Without a verdict,
/// `settle` or `emergencyRelease` pays the human after a time limit. Before submission only the two
/// parties decide.
///
/// Posted -> Active -> Submitted -> (Disputed) -> Released | Refunded; Posted | Active ->
/// Cancelled.
///
/// Amounts are in the token's smallest unit, times in Unix seconds, ids start at 1.
interface IEscrow is ITokenCustody, IAdministration, IPanels {
    /// @notice The status of a task. Released, Refunded and Cancelled are final.
    enum Status {
        None,
        Posted,
        Active,
        Submitted,
        Disputed,
        Released,
        Refunded,
        Cancelled
    }

    /// @notice The party that disputed a task.
    enum Party {
        None,
        Agent,
        Human
    }

    /// @notice A task as returned by `getTask`. `amount` is the amount still locked, 0 after the
    /// end; times are 0 before submission.
    struct TaskView {
        address agent;
        address human;
        uint256 amount;
        uint16 feeBasisPoints;
        uint8 status;
        bool agentApproved;
        uint256 submittedAt;
        uint256 disputeDeadline;
        uint256 lastActivityAt;
        uint256 applicationId;
    }

    /// @notice The amount is below `MINIMUM_ESCROW`.
    error AmountBelowMinimum(uint256 amount, uint256 minimum);
    /// @notice The given fee is not the current fee.
    error FeeMismatch(uint16 given, uint16 inForce);
    /// @notice A validator cannot be a party to a task.
    error ValidatorIsParty(address account);
    /// @notice The call is not allowed in the task's status.
    error WrongStatus(uint256 taskId, Status status);
    /// @notice Only the task's agent may call this.
    error NotTheAgent(uint256 taskId, address caller);
    /// @notice Only the human assigned to the task may call this.
    error NotTheHuman(uint256 taskId, address caller);
    /// @notice Only the task's agent or assigned human may call this.
    error NotAParty(uint256 taskId, address caller);
    /// @notice The hash of the work is zero.
    error EmptyWorkHash(uint256 taskId);
    /// @notice The agent has already approved the work.
    error AgentHasApproved(uint256 taskId);
    /// @notice The dispute window closed at `closedAt`.
    error DisputeWindowClosed(uint256 taskId, uint256 closedAt);
    /// @notice Verdicts are not accepted before `opensAt`.
    error ReviewNotOpen(uint256 taskId, uint256 opensAt);
    /// @notice Verdicts are not accepted from `closedAt` on.
    error ReviewClosed(uint256 taskId, uint256 closedAt);
    /// @notice The payment by this call is not due before `dueAt`.
    error NotDue(uint256 taskId, uint256 dueAt);
    /// @notice More signatures than the maximum number of validators of a panel.
    error TooManySignatures(uint256 signatures, uint256 maximum);
    /// @notice Fewer signatures than the task's panel needs.
    error QuorumNotReached(uint256 signatures, uint256 quorum);
    /// @notice The signature at `index` is malformed, or its ERC-1271 contract rejects it. An ECDSA
    /// signature over other data recovers another signer and fails with one of the next two errors.
    error InvalidSignature(uint256 index);
    /// @notice The signer at `index` is not above the previous one.
    error SignersNotAscending(uint256 index);
    /// @notice The signer is not a validator of the task's panel.
    error NotAValidatorOfTask(uint256 taskId, address signer);

    /// @notice A task was posted and `amount` is locked.
    event TaskPosted(
        uint256 indexed taskId, address indexed agent, uint256 amount, uint16 feeBasisPoints
    );
    /// @notice The hash of the task's terms; emitted only if the agent gave one.
    event TaskTerms(uint256 indexed taskId, bytes32 indexed termsHash);
    /// @notice An application was accepted: the task is Active. `amount` includes the fee.
    event TaskCreated(
        uint256 indexed taskId,
        address indexed agent,
        address indexed human,
        uint256 amount,
        uint16 feeBasisPoints
    );
    /// @notice The application `applicationId` was accepted. Emitted in the same transaction as
    /// `TaskCreated`.
    event TaskCreatedWithApplication(
        uint256 indexed taskId, uint256 indexed applicationId, address indexed agent
    );
    /// @notice The assigned human, `caller`, submitted work.
    event TaskSubmitted(
        uint256 indexed taskId, address indexed caller, address indexed agent, uint256 submittedAt
    );
    /// @notice The hash of the work is `workHash`. Emitted in the same transaction as
    /// `TaskSubmitted`.
    event WorkCommitted(uint256 indexed taskId, bytes32 workHash);
    /// @notice The party `caller` disputed the work.
    event TaskDisputed(
        uint256 indexed taskId, address indexed caller, address indexed agent, uint256 disputedAt
    );
    /// @notice The agent approved the work. Nothing is paid yet.
    event AgentApproved(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice A quorum approved; `TaskReleased` follows.
    event SubmissionApproved(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice A quorum rejected; `TaskRefunded` follows.
    event SubmissionRejected(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice The human was paid, by verdict or by timeout. The two amounts add up to the task's
    /// amount.
    event TaskReleased(
        uint256 indexed taskId,
        address indexed human,
        address indexed agent,
        uint256 humanAmount,
        uint256 feeAmount
    );
    /// @notice The whole amount was refunded to the agent by a rejecting verdict.
    event TaskRefunded(
        uint256 indexed taskId, address indexed agent, address indexed human, uint256 amount
    );
    /// @notice The amount was refunded to the agent before submission. `human` is zero if none was
    /// assigned; `feeAmount` is 0.
    event TaskCancelled(
        uint256 indexed taskId,
        address indexed agent,
        address indexed human,
        uint256 refundAmount,
        uint256 feeAmount
    );

    /// @notice Posts a task and locks its payment, charged to the caller with a permit. A failed
    /// permit is ignored if the allowance suffices.
    /// @param amount At least `MINIMUM_ESCROW`.
    /// @param feeBasisPoints The current fee. Any other value reverts, so that neither party gets
    /// an unexpected fee.
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 taskId);

    /// @notice Like the function above, and binds the posting to the hash of its terms.
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        bytes32 termsHash,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 taskId);

    /// @notice Posts a task and charges the caller's allowance, for accounts that cannot sign
    /// permits. `termsHash` may be 0.
    function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash)
        external
        returns (uint256 taskId);

    /// @notice The agent accepts the human of a live application. The current panel decides on this
    /// task from now on; neither party may be a member.
    function acceptApplicationForTask(uint256 taskId, uint256 applicationId) external;

    /// @notice The assigned human submits the hash of the work, which must not be 0.
    function submitTask(uint256 taskId, bytes32 workHash) external;

    /// @notice The agent approves the work, once. Afterwards rejecting verdicts are not accepted,
    /// and anyone can call `settle` from 72 hours after the approval, unless a verdict has paid
    /// before.
    function agentApproveTask(uint256 taskId) external;

    /// @notice A party disputes the work within 24 hours of its submission, unless it is approved.
    function disputeTask(uint256 taskId) external;

    /// @notice Pays the human on a quorum of approving verdicts. Anyone may call this.
    /// @param signatures Over `verdictDigest(taskId, true)`, with the signers in strictly ascending
    /// order: 65 bytes of ECDSA, or the validator's address followed by its ERC-1271 signature.
    function approveSubmission(uint256 taskId, bytes[] calldata signatures) external;

    /// @notice Refunds the agent and forfeits the stake on a quorum of rejecting verdicts. Anyone
    /// may call this, unless the agent has approved.
    /// @param signatures Over `verdictDigest(taskId, false)`, as for `approveSubmission`.
    function rejectSubmission(uint256 taskId, bytes[] calldata signatures) external;

    /// @notice Refunds the agent before a submission. The agent may call this while the task is
    /// Posted or Active; the assigned human, to resign, while it is Active. An activated stake is
    /// returned.
    function cancelTask(uint256 taskId) external;

    /// @notice Pays the human after a timeout. Anyone may call this.
    function settle(uint256 taskId) external;

    /// @notice Pays the assigned human, who must be the caller, 30 days after the last activity on
    /// submitted work.
    function emergencyRelease(uint256 taskId) external;

    /// @notice The task; zeros if the id is unknown.
    function getTask(uint256 taskId) external view returns (TaskView memory);

    /// @notice The agent of a task, and its amount while it is Posted, otherwise 0.
    function offerOf(uint256 taskId) external view returns (address agent, uint256 amount);

    /// @notice Like `offerOf`, but reverts if entries are paused or `applicant` is a validator.
    function offerTo(address applicant, uint256 taskId)
        external
        view
        returns (address agent, uint256 amount);

    /// @notice The digest that a validator signs (EIP-712) in the task's current round: 0 for a
    /// review, 1 for a dispute.
    function verdictDigest(uint256 taskId, bool approved) external view returns (bytes32);

    /// @notice The time at which verdicts on a submitted task expire; 0 if the task is not
    /// submitted.
    function due(uint256 taskId) external view returns (uint256);

    /// @notice The hash of the submitted work; 0 before the submission.
    function workHash(uint256 taskId) external view returns (bytes32);

    /// @notice The panel that decides on the task; 0 before acceptance.
    function panelOf(uint256 taskId) external view returns (uint256);

    /// @notice The party that disputed the task.
    function disputedBy(uint256 taskId) external view returns (Party);

    /// @notice The number of posted tasks, equal to the last id.
    function taskCount() external view returns (uint256);

    /// @notice The contract that holds the stakes of applications.
    function applicationStaking() external view returns (IApplicationStaking);

    /// @notice The recipient of fees.
    function treasury() external view returns (address);

    /// @notice The minimum amount of a task.
    function MINIMUM_ESCROW() external view returns (uint256);

    /// @notice How long after submission a party may dispute, in seconds.
    function DISPUTE_WINDOW() external view returns (uint256);

    /// @notice How long validators can confirm an approval before `settle` can pay, in seconds.
    function APPROVAL_DELAY() external view returns (uint256);

    /// @notice How long validators can decide on the agent's dispute before `settle` can pay, in
    /// seconds.
    function AGENT_DISPUTE_DELAY() external view returns (uint256);

    /// @notice How long after the last activity the human can call `emergencyRelease`, in seconds.
    function EMERGENCY_DELAY() external view returns (uint256);

    /// @notice How long after the last activity anyone can settle, in every status with submitted
    /// work, in seconds.
    function SETTLE_DELAY() external view returns (uint256);
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAdministration} from "./IAdministration.sol";
import {IApplicationStaking} from "./IApplicationStaking.sol";
import {IPanels} from "./IPanels.sol";
import {ITokenCustody} from "./ITokenCustody.sol";

/// @title Task funds, from posting to payment
/// @notice An agent posts a task with its payment, accepts one human's application, and the human
/// submits the hash of the work. Then the agent approves, disputes within 24 hours, or is silent; a
/// quorum of validators rules; and when they are silent too, time pays the human. Before submission
/// nobody but the two parties decides anything.
///
/// Posted -> Active -> Submitted -> (Disputed) -> Released | Refunded; Posted | Active ->
/// Cancelled.
///
/// Amounts are in the token's smallest unit, times in Unix seconds, ids start at 1.
interface IEscrow is ITokenCustody, IAdministration, IPanels {
    /// @notice Where a task stands. Released, Refunded and Cancelled are never left.
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

    /// @notice Who disputed a task.
    enum Party {
        Nobody,
        Agent,
        Human
    }

    /// @notice A task as `getTask` tells it. `amount` is what is still locked, 0 after the end;
    /// times are 0 before submission.
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
    /// @notice The fee named is not the one in force.
    error FeeMismatch(uint16 given, uint16 inForce);
    /// @notice A validator is never a party to a task.
    error ValidatorIsParty(address account);
    /// @notice The task's status does not allow this.
    error WrongStatus(uint256 taskId, Status status);
    /// @notice Only the task's agent may do this.
    error NotTheAgent(uint256 taskId, address caller);
    /// @notice Only the human assigned to the task may do this.
    error NotTheHuman(uint256 taskId, address caller);
    /// @notice Only the task's agent or assigned human may do this.
    error NotAParty(uint256 taskId, address caller);
    /// @notice The hash of the work is zero.
    error EmptyWorkHash(uint256 taskId);
    /// @notice The agent has approved the work.
    error AgentHasApproved(uint256 taskId);
    /// @notice The time for a dispute ended at `closedAt`.
    error DisputeWindowClosed(uint256 taskId, uint256 closedAt);
    /// @notice No verdict counts before `opensAt`.
    error ReviewNotOpen(uint256 taskId, uint256 opensAt);
    /// @notice No verdict counts from `closedAt` on.
    error ReviewClosed(uint256 taskId, uint256 closedAt);
    /// @notice The time-out is at `dueAt`.
    error NotDue(uint256 taskId, uint256 dueAt);
    /// @notice More signatures than a panel may have validators.
    error TooManySignatures(uint256 signatures, uint256 maximum);
    /// @notice Fewer signatures than the task's panel needs.
    error QuorumNotReached(uint256 signatures, uint256 quorum);
    /// @notice The signature at `index` is malformed or not over this verdict.
    error InvalidSignature(uint256 index);
    /// @notice The signer at `index` is not above the one before it.
    error SignersNotAscending(uint256 index);
    /// @notice The signer is no validator of the task's panel.
    error NotAValidatorOfTask(uint256 taskId, address signer);

    /// @notice A task was posted and `amount` is locked.
    event TaskPosted(
        uint256 indexed taskId, address indexed agent, uint256 amount, uint16 feeBasisPoints
    );
    /// @notice Emitted only when the agent gave a hash of the task's terms.
    event TaskTerms(uint256 indexed taskId, bytes32 indexed termsHash);
    /// @notice An application was accepted: the task is Active. `amount` includes the fee.
    event TaskCreated(
        uint256 indexed taskId,
        address indexed agent,
        address indexed human,
        uint256 amount,
        uint16 feeBasisPoints
    );
    /// @notice Which application it was; in the same transaction as `TaskCreated`.
    event TaskCreatedWithApplication(
        uint256 indexed taskId, uint256 indexed applicationId, address indexed agent
    );
    /// @notice The assigned human, who is `caller`, handed in work.
    event TaskSubmitted(
        uint256 indexed taskId, address indexed caller, address indexed agent, uint256 submittedAt
    );
    /// @notice The hash of the work; in the same transaction as `TaskSubmitted`.
    event WorkCommitted(uint256 indexed taskId, bytes32 workHash);
    /// @notice A party, who is `caller`, disputed the work.
    event TaskDisputed(
        uint256 indexed taskId, address indexed caller, address indexed agent, uint256 disputedAt
    );
    /// @notice The agent approved the work; nothing is paid yet.
    event AgentApproved(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice A quorum approved; `TaskReleased` follows.
    event SubmissionApproved(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice A quorum rejected; `TaskRefunded` follows.
    event SubmissionRejected(uint256 indexed taskId, address indexed agent, address indexed human);
    /// @notice The human was paid, by verdict or by time; the two amounts add up to the task's.
    event TaskReleased(
        uint256 indexed taskId,
        address indexed human,
        address indexed agent,
        uint256 humanAmount,
        uint256 feeAmount
    );
    /// @notice The agent got the whole amount back by a rejecting verdict.
    event TaskRefunded(
        uint256 indexed taskId, address indexed agent, address indexed human, uint256 amount
    );
    /// @notice The agent got the amount back before submission; `human` is zero if none was
    /// assigned, and `feeAmount` is 0.
    event TaskCancelled(
        uint256 indexed taskId,
        address indexed agent,
        address indexed human,
        uint256 refundAmount,
        uint256 feeAmount
    );

    /// @notice Posts a task and locks its payment, charged to the caller with a permit. The permit
    /// is tried, not required: an allowance does as well.
    /// @param amount At least `MINIMUM_ESCROW`.
    /// @param feeBasisPoints The fee in force; any other reverts, so neither side is surprised.
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 taskId);

    /// @notice As above, and binds the posting to the hash of its terms.
    function postTaskWithPermit(
        uint256 amount,
        uint16 feeBasisPoints,
        bytes32 termsHash,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 taskId);

    /// @notice Posts a task by allowance, for accounts that cannot sign permits. `termsHash` may be
    /// 0.
    function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash)
        external
        returns (uint256 taskId);

    /// @notice The agent takes the human of a live application. The panel in force rules this task
    /// from now on; neither party may be in it.
    function acceptApplicationForTask(uint256 taskId, uint256 applicationId) external;

    /// @notice The assigned human hands in work by its hash, which is not 0.
    function submitTask(uint256 taskId, bytes32 workHash) external;

    /// @notice The agent approves the work, once; no rejection counts from then on, and 72 hours
    /// later time pays the human, if no verdict did before.
    function agentApproveTask(uint256 taskId) external;

    /// @notice A party disputes the work within 24 hours of its submission, unless it is approved.
    function disputeTask(uint256 taskId) external;

    /// @notice Pays the human on a quorum of approving verdicts. Anyone may bring them.
    /// @param signatures Of `verdictDigest(taskId, true)`, by signers in strictly ascending order:
    /// 65 bytes of ECDSA, or the validator's address and then its ERC-1271 signature.
    function approveSubmission(uint256 taskId, bytes[] calldata signatures) external;

    /// @notice Refunds the agent on a quorum of rejecting verdicts and forfeits the stake. Anyone
    /// may bring them; none counts once the agent approved.
    /// @param signatures Of `verdictDigest(taskId, false)`, as for `approveSubmission`.
    function rejectSubmission(uint256 taskId, bytes[] calldata signatures) external;

    /// @notice Refunds the agent before any submission: the agent may while Posted or Active, the
    /// assigned human (who resigns) while Active. A bound stake is returned.
    function cancelTask(uint256 taskId) external;

    /// @notice Pays the human when a time-out is due. Anyone may call.
    function settle(uint256 taskId) external;

    /// @notice Pays the assigned human, who calls, 30 days after the last activity on submitted
    /// work.
    function emergencyRelease(uint256 taskId) external;

    /// @notice The task; zeros for an unknown id.
    function getTask(uint256 taskId) external view returns (TaskView memory);

    /// @notice The agent of a task, and its amount while it is Posted, otherwise 0.
    function offerOf(uint256 taskId) external view returns (address agent, uint256 amount);

    /// @notice As `offerOf`, and reverts when entries are paused or `applicant` is a validator.
    function offerTo(address applicant, uint256 taskId)
        external
        view
        returns (address agent, uint256 amount);

    /// @notice What a validator signs (EIP-712) in the task's present round: 0 for a review, 1 for
    /// a dispute.
    function verdictDigest(uint256 taskId, bool approved) external view returns (bytes32);

    /// @notice When verdicts on a submitted task stop counting; 0 when there is nothing to rule on.
    function due(uint256 taskId) external view returns (uint256);

    /// @notice The hash of the work submitted; 0 before.
    function workHash(uint256 taskId) external view returns (bytes32);

    /// @notice The panel that rules the task; 0 before acceptance.
    function panelOf(uint256 taskId) external view returns (uint256);

    /// @notice Who disputed the task.
    function disputedBy(uint256 taskId) external view returns (Party);

    /// @notice The number of tasks posted, which is the last id.
    function taskCount() external view returns (uint256);

    /// @notice The contract that holds the stakes of applications.
    function applicationStaking() external view returns (IApplicationStaking);

    /// @notice Where fees go.
    function treasury() external view returns (address);

    /// @notice The least amount of a task.
    function MINIMUM_ESCROW() external view returns (uint256);

    /// @notice How long after submission a party may dispute, in seconds.
    function DISPUTE_WINDOW() external view returns (uint256);

    /// @notice How long validators may confirm an approval before time pays, in seconds.
    function APPROVAL_DELAY() external view returns (uint256);

    /// @notice How long validators may rule on the agent's dispute before time pays, in seconds.
    function AGENT_DISPUTE_DELAY() external view returns (uint256);

    /// @notice How long after the last activity the human may call `emergencyRelease`, in seconds.
    function EMERGENCY_DELAY() external view returns (uint256);

    /// @notice How long after the last activity anyone may settle, whatever happened, in seconds.
    function SETTLE_DELAY() external view returns (uint256);
}

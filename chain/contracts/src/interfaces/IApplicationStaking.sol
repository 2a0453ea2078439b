// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "./IEscrow.sol";

/// @title Stakes of humans who apply for tasks
/// @notice A human applies by locking a stake that names the task. Before acceptance the human may
/// take it back at any time, and the task's agent may reject the application, which forfeits the
/// stake. Acceptance activates it; then its fate is that of the task. It expires after seven days.
interface IApplicationStaking {
    /// @notice None: no such application. Locked: waits for a decision, or has expired and waits to
    /// be fetched. Activated: accepted. Ended: returned, forfeited or withdrawn, for good.
    enum StakeStatus {
        None,
        Locked,
        Activated,
        Ended
    }

    /// @notice All that is known of an application. `amount` is what is still locked.
    struct StakeView {
        address human;
        address intendedAgent;
        uint256 taskId;
        uint256 amount;
        uint256 expiresAt;
        StakeStatus status;
    }

    /// @notice The task takes no applications (now).
    error TaskNotOpen(uint256 taskId);
    /// @notice The stake must be exactly `required`.
    error StakeMismatch(uint256 given, uint256 required);
    /// @notice The caller's earlier application for the task still holds a stake.
    error AlreadyApplied(uint256 applicationId);
    /// @notice An agent cannot apply for the agent's own task.
    error AgentCannotApply(address agent);
    /// @notice The stake is not locked: there is none, or it was activated or has ended.
    error StakeNotLocked(uint256 applicationId, StakeStatus status);
    /// @notice The stake is not activated.
    error StakeNotActivated(uint256 applicationId, StakeStatus status);
    /// @notice The application was made for another task.
    error ApplicationForOtherTask(uint256 applicationId, uint256 taskId);
    /// @notice The application can no longer be accepted or rejected.
    error ApplicationExpired(uint256 applicationId, uint256 expiresAt);
    /// @notice Only the agent of the task may reject.
    error NotTheIntendedAgent(uint256 applicationId, address caller);
    /// @notice The application is open and only its human may withdraw it.
    error NotTheApplicant(uint256 applicationId, address caller);
    /// @notice Only the escrow may do this.
    error NotTheEscrow(address caller);

    /// @notice A human applied; the application can be decided before `expiresAt`.
    event ApplicationStakeLocked(
        uint256 indexed applicationId,
        address indexed human,
        address indexed intendedAgent,
        uint256 amount,
        uint256 expiresAt
    );
    /// @notice Which task it was; in the same transaction as `ApplicationStakeLocked`.
    event ApplicationForTask(uint256 indexed applicationId, uint256 indexed taskId);
    /// @notice The application was accepted.
    event ApplicationStakeActivated(uint256 indexed applicationId, uint256 indexed taskId);
    /// @notice Paid back: the task ended well, or the application expired or lost its task.
    event ApplicationStakeReturned(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice Paid to the treasury: the application or the work was rejected.
    event ApplicationStakeForfeited(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice Paid back because the human withdrew before any decision.
    event ApplicationWithdrawn(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice Rejected by the agent; `ApplicationStakeForfeited` follows.
    event ApplicationRejected(uint256 indexed applicationId, address indexed agent);

    /// @notice Applies for a task with a stake of exactly `requiredStake(taskId)`, charged to the
    /// caller with a permit. The permit is tried, not required: an allowance does as well. Reverts
    /// with the escrow's reason when entries are paused or the caller is a current validator.
    function lockApplicationStakeWithPermit(
        uint256 taskId,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 applicationId);

    /// @notice Applies for a task with a stake of exactly `requiredStake(taskId)`, charged to the
    /// caller by allowance.
    function lockApplicationStake(uint256 taskId, uint256 amount)
        external
        returns (uint256 applicationId);

    /// @notice The task's agent rejects a live application; the stake goes to the treasury.
    function rejectApplication(uint256 applicationId) external;

    /// @notice Pays the stake back to its human. The human may call at any time before acceptance;
    /// anyone may, once the application expired or the task is no longer posted.
    function withdrawStake(uint256 applicationId) external;

    /// @notice Binds a live application to its task and tells whose it is. Escrow only.
    function activateStake(uint256 applicationId, uint256 taskId) external returns (address human);

    /// @notice Pays an activated stake back to its human. Escrow only.
    function returnStake(uint256 applicationId) external;

    /// @notice Pays an activated stake to the treasury. Escrow only.
    function forfeitStake(uint256 applicationId) external;

    /// @notice Five percent of the task's amount, at least `MIN_STAKE` and at most `MAX_STAKE`; 0
    /// unless the task is posted.
    function requiredStake(uint256 taskId) external view returns (uint256);

    /// @notice All that is known of an application; zeros for an unknown one.
    function getStake(uint256 applicationId) external view returns (StakeView memory);

    /// @notice The human who applied; zero for an unknown application.
    function getStakeHuman(uint256 applicationId) external view returns (address);

    /// @notice The agent of the task applied for; zero for an unknown application.
    function getStakeIntendedAgent(uint256 applicationId) external view returns (address);

    /// @notice The task applied for; 0 for an unknown application.
    function getStakeTask(uint256 applicationId) external view returns (uint256);

    /// @notice The escrow whose tasks are applied for.
    function escrow() external view returns (IEscrow);

    /// @notice Where forfeited stakes go.
    function treasury() external view returns (address);

    /// @notice The share of the task's amount that is staked, in basis points.
    function STAKE_BASIS_POINTS() external view returns (uint256);

    /// @notice The least stake, in the token's smallest unit.
    function MIN_STAKE() external view returns (uint256);

    /// @notice The greatest stake, in the token's smallest unit.
    function MAX_STAKE() external view returns (uint256);

    /// @notice How long an application can be accepted or rejected, in seconds.
    function APPLICATION_LIFETIME() external view returns (uint256);
}

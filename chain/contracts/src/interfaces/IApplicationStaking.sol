// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "./IEscrow.sol";

/// @title Stakes of humans who apply for tasks
/// @notice A human applies by locking a stake for a task. Before acceptance the human can withdraw
/// it at any time, and the task's agent can reject the application, which forfeits the stake.
/// Acceptance activates the stake until the task ends. An application expires after seven days.
interface IApplicationStaking {
    /// @notice None: no such application. Locked: not decided yet, or expired and not withdrawn.
    /// Activated: accepted. Ended: returned, forfeited or withdrawn; final.
    enum StakeStatus {
        None,
        Locked,
        Activated,
        Ended
    }

    /// @notice An application. `amount` is the amount still locked.
    struct StakeView {
        address human;
        address intendedAgent;
        uint256 taskId;
        uint256 amount;
        uint256 expiresAt;
        StakeStatus status;
    }

    /// @notice The task does not accept applications at the moment.
    error TaskNotOpen(uint256 taskId);
    /// @notice The stake must be exactly `required`.
    error StakeMismatch(uint256 given, uint256 required);
    /// @notice The caller's earlier application for the task still has a locked stake.
    error AlreadyApplied(uint256 applicationId);
    /// @notice An agent cannot apply for its own task.
    error AgentCannotApply(address agent);
    /// @notice The stake is not locked: it does not exist, was activated or has ended.
    error StakeNotLocked(uint256 applicationId, StakeStatus status);
    /// @notice The stake is not activated.
    error StakeNotActivated(uint256 applicationId, StakeStatus status);
    /// @notice The application was made for another task.
    error ApplicationForOtherTask(uint256 applicationId, uint256 taskId);
    /// @notice The application can no longer be accepted or rejected.
    error ApplicationExpired(uint256 applicationId, uint256 expiresAt);
    /// @notice Only the agent of the task may reject the application.
    error NotTheIntendedAgent(uint256 applicationId, address caller);
    /// @notice The application is not decided, and only its human may withdraw it.
    error NotTheApplicant(uint256 applicationId, address caller);
    /// @notice Only the escrow may call this.
    error NotTheEscrow(address caller);

    /// @notice A human applied. The application can be decided before `expiresAt`.
    event ApplicationStakeLocked(
        uint256 indexed applicationId,
        address indexed human,
        address indexed intendedAgent,
        uint256 amount,
        uint256 expiresAt
    );
    /// @notice The task of the application; in the same transaction as `ApplicationStakeLocked`.
    event ApplicationForTask(uint256 indexed applicationId, uint256 indexed taskId);
    /// @notice The application was accepted.
    event ApplicationStakeActivated(uint256 indexed applicationId, uint256 indexed taskId);
    /// @notice The stake was returned: the task ended without forfeiting it, or the application
    /// expired or its task is no longer posted.
    event ApplicationStakeReturned(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice The stake was paid to the treasury: the application or the work was rejected.
    event ApplicationStakeForfeited(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice The stake was returned because the human withdrew before a decision.
    event ApplicationWithdrawn(
        uint256 indexed applicationId, address indexed human, uint256 amount
    );
    /// @notice The agent rejected the application; `ApplicationStakeForfeited` follows.
    event ApplicationRejected(uint256 indexed applicationId, address indexed agent);

    /// @notice Applies for a task with a stake of exactly `requiredStake(taskId)`, charged to the
    /// caller with a permit. A failed permit is ignored if the allowance suffices. Reverts with the
    /// escrow's error if entries are paused or the caller is a current validator.
    function lockApplicationStakeWithPermit(
        uint256 taskId,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 applicationId);

    /// @notice Applies for a task with a stake of exactly `requiredStake(taskId)`, charged to the
    /// caller's allowance.
    function lockApplicationStake(uint256 taskId, uint256 amount)
        external
        returns (uint256 applicationId);

    /// @notice The task's agent rejects a live application; the stake goes to the treasury.
    function rejectApplication(uint256 applicationId) external;

    /// @notice Returns the stake to its human. The human may call this at any time before
    /// acceptance; anyone may call it after the application expired or the task is no longer
    /// posted.
    function withdrawStake(uint256 applicationId) external;

    /// @notice Binds a live application to its task and returns its human. Escrow only.
    function activateStake(uint256 applicationId, uint256 taskId) external returns (address human);

    /// @notice Returns an activated stake to its human. Escrow only.
    function returnStake(uint256 applicationId) external;

    /// @notice Pays an activated stake to the treasury. Escrow only.
    function forfeitStake(uint256 applicationId) external;

    /// @notice Five percent of the task's amount, at least `MIN_STAKE` and at most `MAX_STAKE`; 0
    /// unless the task is posted.
    function requiredStake(uint256 taskId) external view returns (uint256);

    /// @notice The application; zeros if unknown.
    function getStake(uint256 applicationId) external view returns (StakeView memory);

    /// @notice The human who applied; zero if the application is unknown.
    function getStakeHuman(uint256 applicationId) external view returns (address);

    /// @notice The agent of the application's task; zero if the application is unknown.
    function getStakeIntendedAgent(uint256 applicationId) external view returns (address);

    /// @notice The application's task; 0 if the application is unknown.
    function getStakeTask(uint256 applicationId) external view returns (uint256);

    /// @notice The escrow of the tasks.
    function escrow() external view returns (IEscrow);

    /// @notice The recipient of forfeited stakes.
    function treasury() external view returns (address);

    /// @notice The stake's share of the task's amount, in basis points.
    function STAKE_BASIS_POINTS() external view returns (uint256);

    /// @notice The minimum stake, in the token's smallest unit.
    function MIN_STAKE() external view returns (uint256);

    /// @notice The maximum stake, in the token's smallest unit.
    function MAX_STAKE() external view returns (uint256);

    /// @notice How long an application can be accepted or rejected, in seconds.
    function APPLICATION_LIFETIME() external view returns (uint256);
}

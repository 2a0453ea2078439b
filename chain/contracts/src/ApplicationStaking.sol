// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenCustody} from "./TokenCustody.sol";
import {IApplicationStaking} from "./interfaces/IApplicationStaking.sol";
import {IEscrow} from "./interfaces/IEscrow.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Stakes of humans who apply for tasks
/// @dev Two slots per application. The applicant and the task of an application never change. The
/// stake is stored by task and human, so "one live application per human and task" needs no
/// additional slot: a later application replaces one that has ended, and the earlier id then reads
/// as ended.
contract ApplicationStaking is IApplicationStaking, TokenCustody {
    using SafeCast for uint256;

    struct Application {
        address human;
        uint96 taskId;
    }

    struct Stake {
        uint96 amount;
        uint40 applicationId;
        uint40 expiresAt;
        StakeStatus status;
    }

    /// @inheritdoc IApplicationStaking
    uint256 public constant override STAKE_BASIS_POINTS = 500;
    /// @inheritdoc IApplicationStaking
    uint256 public constant override MIN_STAKE = 0.001 ether;
    /// @inheritdoc IApplicationStaking
    uint256 public constant override MAX_STAKE = 10 ether;
    /// @inheritdoc IApplicationStaking
    uint256 public constant override APPLICATION_LIFETIME = 7 days;

    /// @inheritdoc IApplicationStaking
    IEscrow public immutable override escrow;
    /// @inheritdoc IApplicationStaking
    address public immutable override treasury;

    uint40 private _lastApplicationId;
    mapping(uint256 applicationId => Application) private _applications;
    mapping(uint256 taskId => mapping(address human => Stake)) private _stakes;

    constructor(IEscrow escrow_, IERC20 token_, address treasury_) TokenCustody(token_) {
        escrow = escrow_;
        // slither-disable-next-line missing-zero-check: the deploying escrow has checked it
        treasury = treasury_;
    }

    modifier onlyEscrow() {
        if (msg.sender != address(escrow)) revert NotTheEscrow(msg.sender);
        _;
    }

    /// @inheritdoc IApplicationStaking
    function lockApplicationStakeWithPermit(
        uint256 taskId,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 applicationId) {
        _tryPermit(amount, deadline, v, r, s);
        return _lock(taskId, amount);
    }

    /// @inheritdoc IApplicationStaking
    function lockApplicationStake(uint256 taskId, uint256 amount)
        external
        nonReentrant
        returns (uint256 applicationId)
    {
        return _lock(taskId, amount);
    }

    /// @inheritdoc IApplicationStaking
    function rejectApplication(uint256 applicationId) external nonReentrant {
        (Application memory application, Stake storage stake) = _find(applicationId);
        // Check: the agent can still decide on the application.
        uint256 amount = _requireLocked(applicationId, application, stake);
        (address agent, uint256 offered) = escrow.offerOf(application.taskId);
        if (msg.sender != agent) revert NotTheIntendedAgent(applicationId, msg.sender);
        if (offered == 0) revert TaskNotOpen(application.taskId);
        _requireUnexpired(applicationId, stake);
        // Effect
        _end(stake);
        emit ApplicationRejected(applicationId, agent);
        emit ApplicationStakeForfeited(applicationId, application.human, amount);
        // Interaction
        _pay(treasury, amount);
    }

    /// @inheritdoc IApplicationStaking
    function withdrawStake(uint256 applicationId) external nonReentrant {
        (Application memory application, Stake storage stake) = _find(applicationId);
        // Check: before a decision only the human may withdraw, afterwards anyone.
        uint256 amount = _requireLocked(applicationId, application, stake);
        bool undecided = block.timestamp < stake.expiresAt && _isPosted(application.taskId);
        if (undecided && msg.sender != application.human) {
            revert NotTheApplicant(applicationId, msg.sender);
        }
        // Effect
        _end(stake);
        if (undecided) emit ApplicationWithdrawn(applicationId, application.human, amount);
        else emit ApplicationStakeReturned(applicationId, application.human, amount);
        // Interaction
        _pay(application.human, amount);
    }

    /// @inheritdoc IApplicationStaking
    function activateStake(uint256 applicationId, uint256 taskId)
        external
        onlyEscrow
        nonReentrant
        returns (address human)
    {
        (Application memory application, Stake storage stake) = _find(applicationId);
        // Check
        _requireLocked(applicationId, application, stake);
        if (application.taskId != taskId) revert ApplicationForOtherTask(applicationId, taskId);
        _requireUnexpired(applicationId, stake);
        // Effect
        stake.status = StakeStatus.Activated;
        emit ApplicationStakeActivated(applicationId, taskId);
        return application.human;
    }

    /// @inheritdoc IApplicationStaking
    function returnStake(uint256 applicationId) external onlyEscrow nonReentrant {
        (address human, uint256 amount) = _endActivated(applicationId);
        emit ApplicationStakeReturned(applicationId, human, amount);
        // Interaction
        _pay(human, amount);
    }

    /// @inheritdoc IApplicationStaking
    function forfeitStake(uint256 applicationId) external onlyEscrow nonReentrant {
        (address human, uint256 amount) = _endActivated(applicationId);
        emit ApplicationStakeForfeited(applicationId, human, amount);
        // Interaction
        _pay(treasury, amount);
    }

    /// @inheritdoc IApplicationStaking
    function requiredStake(uint256 taskId) external view returns (uint256) {
        // slither-disable-next-line unused-return: only the amount is needed
        (, uint256 offered) = escrow.offerOf(taskId);
        return _stakeFor(offered);
    }

    /// @inheritdoc IApplicationStaking
    function getStake(uint256 applicationId) external view returns (StakeView memory) {
        (Application memory application, Stake storage stake) = _find(applicationId);
        bool latest = stake.applicationId == applicationId;
        return StakeView({
            human: application.human,
            intendedAgent: getStakeIntendedAgent(applicationId),
            taskId: application.taskId,
            amount: latest ? stake.amount : 0,
            expiresAt: latest ? stake.expiresAt : 0,
            status: _statusOf(applicationId, application, stake)
        });
    }

    /// @inheritdoc IApplicationStaking
    function getStakeHuman(uint256 applicationId) external view returns (address) {
        return _applications[applicationId].human;
    }

    /// @inheritdoc IApplicationStaking
    function getStakeIntendedAgent(uint256 applicationId) public view returns (address agent) {
        // slither-disable-next-line unused-return: only the agent is needed
        (agent,) = escrow.offerOf(_applications[applicationId].taskId);
    }

    /// @inheritdoc IApplicationStaking
    function getStakeTask(uint256 applicationId) external view returns (uint256) {
        return _applications[applicationId].taskId;
    }

    function _lock(uint256 taskId, uint256 amount) private returns (uint256 applicationId) {
        // Check
        (address agent, uint256 offered) = escrow.offerTo(msg.sender, taskId);
        if (offered == 0) revert TaskNotOpen(taskId);
        if (msg.sender == agent) revert AgentCannotApply(agent);
        uint256 required = _stakeFor(offered);
        if (amount != required) revert StakeMismatch(amount, required);
        Stake storage stake = _stakes[taskId][msg.sender];
        if (stake.status == StakeStatus.Locked) revert AlreadyApplied(stake.applicationId);
        // Effect
        applicationId = ++_lastApplicationId;
        uint40 expiresAt = (block.timestamp + APPLICATION_LIFETIME).toUint40();
        _applications[applicationId] = Application(msg.sender, taskId.toUint96());
        _stakes[taskId][msg.sender] =
            Stake(amount.toUint96(), applicationId.toUint40(), expiresAt, StakeStatus.Locked);
        emit ApplicationStakeLocked(applicationId, msg.sender, agent, amount, expiresAt);
        emit ApplicationForTask(applicationId, taskId);
        // Interaction
        _charge(amount);
    }

    function _endActivated(uint256 applicationId) private returns (address human, uint256 amount) {
        (Application memory application, Stake storage stake) = _find(applicationId);
        // Check
        StakeStatus status = _statusOf(applicationId, application, stake);
        if (status != StakeStatus.Activated) revert StakeNotActivated(applicationId, status);
        // Effect
        amount = stake.amount;
        _end(stake);
        return (application.human, amount);
    }

    /// @dev The id and the status remain as the marker of the end.
    function _end(Stake storage stake) private {
        stake.amount = 0;
        stake.status = StakeStatus.Ended;
    }

    function _requireLocked(
        uint256 applicationId,
        Application memory application,
        Stake storage stake
    ) private view returns (uint256 amount) {
        StakeStatus status = _statusOf(applicationId, application, stake);
        if (status != StakeStatus.Locked) revert StakeNotLocked(applicationId, status);
        return stake.amount;
    }

    function _requireUnexpired(uint256 applicationId, Stake storage stake) private view {
        if (block.timestamp >= stake.expiresAt) {
            revert ApplicationExpired(applicationId, stake.expiresAt);
        }
    }

    function _find(uint256 applicationId)
        private
        view
        returns (Application memory application, Stake storage stake)
    {
        application = _applications[applicationId];
        stake = _stakes[application.taskId][application.human];
    }

    function _statusOf(uint256 applicationId, Application memory application, Stake storage stake)
        private
        view
        returns (StakeStatus)
    {
        if (application.human == address(0)) return StakeStatus.None;
        return stake.applicationId == applicationId ? stake.status : StakeStatus.Ended;
    }

    function _isPosted(uint256 taskId) private view returns (bool) {
        // slither-disable-next-line unused-return: only the amount is needed
        (, uint256 offered) = escrow.offerOf(taskId);
        return offered != 0;
    }

    function _stakeFor(uint256 offered) private pure returns (uint256) {
        if (offered == 0) return 0;
        return Math.max(MIN_STAKE, Math.min(MAX_STAKE, offered * STAKE_BASIS_POINTS / 10_000));
    }
}

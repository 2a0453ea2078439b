// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {PanelModel} from "./PanelModel.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @dev Models applications and their stakes. A function named in the past tense is called before
/// the contract: it returns the error that the contract must return, or records the effects of the
/// call.
abstract contract StakeModel is PanelModel {
    struct Task {
        address agent;
        address human;
        uint256 deposited;
        uint256 live;
        uint256 paid;
        uint256 fee;
        uint256 refunded;
        uint16 feeBasisPoints;
        IEscrow.Status status;
        uint256 applicationId;
        uint256 panel;
        uint256 submittedAt;
        uint256 disputedAt;
        uint256 lastActivityAt;
        bool approved;
        IEscrow.Party disputedBy;
        bytes32 workHash;
    }

    struct Stake {
        address human;
        uint256 taskId;
        uint256 locked;
        uint256 live;
        uint256 returned;
        uint256 forfeited;
        uint256 expiresAt;
        IApplicationStaking.StakeStatus status;
    }

    /// @dev Tasks by id; index 0 is unused.
    Task[] internal tasks;
    Stake[] internal stakes;
    mapping(uint256 taskId => mapping(address human => uint256)) internal latest;

    constructor() {
        tasks.push();
        stakes.push();
    }

    function _task(uint256 id) internal view returns (Task storage) {
        return tasks[id < tasks.length ? id : 0];
    }

    function _stake(uint256 id) internal view returns (Stake storage) {
        return stakes[id < stakes.length ? id : 0];
    }

    function _isPosted(uint256 taskId) internal view returns (bool) {
        return _task(taskId).status == IEscrow.Status.Posted;
    }

    function _isExpired(Stake storage stake) internal view returns (bool) {
        return block.timestamp >= stake.expiresAt;
    }

    /// @dev Returns 5 % of the task's amount, but at least 0.001 and at most 10 tokens.
    function _requiredStake(uint256 taskId) internal view returns (uint256 required) {
        if (!_isPosted(taskId)) return 0;
        required = _task(taskId).deposited / 20;
        if (required < 1e15) return 1e15;
        if (required > 10e18) return 10e18;
    }

    function _applied(address caller, uint256 taskId, uint256 amount, Permit permit)
        internal
        returns (bytes memory refusal)
    {
        uint256 allowed = _allowanceAfter(caller, address(staking), amount, permit);
        refusal = _applyRefusal(caller, taskId, amount);
        if (refusal.length == 0) {
            refusal = _chargeRefusal(caller, address(staking), amount, allowed);
        }
        if (refusal.length != 0) return refusal;
        uint256 id = stakes.length;
        uint256 expiresAt = block.timestamp + 7 days;
        latest[taskId][caller] = id;
        stakes.push(
            Stake({
                human: caller,
                taskId: taskId,
                locked: amount,
                live: amount,
                returned: 0,
                forfeited: 0,
                expiresAt: expiresAt,
                status: IApplicationStaking.StakeStatus.Locked
            })
        );
        address agent = _task(taskId).agent;
        emit IApplicationStaking.ApplicationStakeLocked(id, caller, agent, amount, expiresAt);
        emit IApplicationStaking.ApplicationForTask(id, taskId);
        _charge(caller, address(staking), amount, allowed);
    }

    function _applicationRejected(address caller, uint256 id) internal returns (bytes memory) {
        Stake storage stake = _stake(id);
        if (stake.status != IApplicationStaking.StakeStatus.Locked) return _notLocked(id);
        if (caller != _task(stake.taskId).agent) {
            return
                abi.encodeWithSelector(IApplicationStaking.NotTheIntendedAgent.selector, id, caller);
        }
        if (!_isPosted(stake.taskId)) return _notOpen(stake.taskId);
        if (_isExpired(stake)) return _expired(id);
        emit IApplicationStaking.ApplicationRejected(id, caller);
        _forfeit(id);
        return ALLOWED;
    }

    function _stakeWithdrawn(address caller, uint256 id) internal returns (bytes memory) {
        Stake storage stake = _stake(id);
        if (stake.status != IApplicationStaking.StakeStatus.Locked) return _notLocked(id);
        bool undecided = _isPosted(stake.taskId) && !_isExpired(stake);
        if (undecided && caller != stake.human) {
            return abi.encodeWithSelector(IApplicationStaking.NotTheApplicant.selector, id, caller);
        }
        if (!undecided) {
            _return(id);
            return ALLOWED;
        }
        uint256 amount = _endStake(stake);
        stake.returned = amount;
        emit IApplicationStaking.ApplicationWithdrawn(id, stake.human, amount);
        _pay(address(staking), stake.human, amount);
        return ALLOWED;
    }

    /// @dev Returns the error that the staking contract raises when an application is accepted.
    function _activationRefusal(uint256 id, uint256 taskId) internal view returns (bytes memory) {
        Stake storage stake = _stake(id);
        if (stake.status != IApplicationStaking.StakeStatus.Locked) return _notLocked(id);
        if (stake.taskId != taskId) {
            return abi.encodeWithSelector(
                IApplicationStaking.ApplicationForOtherTask.selector, id, taskId
            );
        }
        return _isExpired(stake) ? _expired(id) : ALLOWED;
    }

    function _activate(uint256 id, uint256 taskId) internal {
        _stake(id).status = IApplicationStaking.StakeStatus.Activated;
        emit IApplicationStaking.ApplicationStakeActivated(id, taskId);
    }

    function _return(uint256 id) internal {
        Stake storage stake = _stake(id);
        uint256 amount = _endStake(stake);
        stake.returned = amount;
        emit IApplicationStaking.ApplicationStakeReturned(id, stake.human, amount);
        _pay(address(staking), stake.human, amount);
    }

    function _forfeit(uint256 id) internal {
        Stake storage stake = _stake(id);
        uint256 amount = _endStake(stake);
        stake.forfeited = amount;
        forfeits += amount;
        ruledAgainst = stake.human;
        emit IApplicationStaking.ApplicationStakeForfeited(id, stake.human, amount);
        _pay(address(staking), address(treasury), amount);
    }

    function _applyRefusal(address caller, uint256 taskId, uint256 amount)
        private
        view
        returns (bytes memory)
    {
        if (rules.paused) return abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        if (_isValidator(caller)) return _validatorIsParty(caller);
        if (!_isPosted(taskId)) return _notOpen(taskId);
        if (caller == _task(taskId).agent) {
            return abi.encodeWithSelector(IApplicationStaking.AgentCannotApply.selector, caller);
        }
        uint256 required = _requiredStake(taskId);
        if (amount != required) {
            return
                abi.encodeWithSelector(IApplicationStaking.StakeMismatch.selector, amount, required);
        }
        uint256 before = latest[taskId][caller];
        if (_stake(before).status != IApplicationStaking.StakeStatus.Locked) return ALLOWED;
        return abi.encodeWithSelector(IApplicationStaking.AlreadyApplied.selector, before);
    }

    function _endStake(Stake storage stake) private returns (uint256 amount) {
        amount = stake.live;
        stake.live = 0;
        stake.status = IApplicationStaking.StakeStatus.Ended;
        _free(stake.human, address(staking), amount);
    }

    function _validatorIsParty(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.ValidatorIsParty.selector, account);
    }

    function _notLocked(uint256 id) private view returns (bytes memory) {
        return
            abi.encodeWithSelector(
                IApplicationStaking.StakeNotLocked.selector, id, _stake(id).status
            );
    }

    function _notOpen(uint256 taskId) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IApplicationStaking.TaskNotOpen.selector, taskId);
    }

    function _expired(uint256 id) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            IApplicationStaking.ApplicationExpired.selector, id, _stake(id).expiresAt
        );
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {StakeModel} from "./StakeModel.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @dev Models a task from posting to dispute, including its cancellation.
abstract contract TaskModel is StakeModel {
    uint256 private constant MINIMUM = 1e16;

    function _posted(address caller, uint256 amount, uint16 fee, bytes32 terms, Permit permit)
        internal
        returns (bytes memory refusal)
    {
        uint256 allowed = _allowanceAfter(caller, address(escrow), amount, permit);
        refusal = _postRefusal(caller, amount, fee);
        if (refusal.length == 0) {
            refusal = _chargeRefusal(caller, address(escrow), amount, allowed);
        }
        if (refusal.length != 0) return refusal;
        Task storage task = tasks.push();
        (task.agent, task.deposited, task.live) = (caller, amount, amount);
        (task.feeBasisPoints, task.status) = (fee, IEscrow.Status.Posted);
        uint256 id = tasks.length - 1;
        emit IEscrow.TaskPosted(id, caller, amount, fee);
        if (terms != 0) emit IEscrow.TaskTerms(id, terms);
        _charge(caller, address(escrow), amount, allowed);
    }

    function _accepted(address caller, uint256 id, uint256 applicationId)
        internal
        returns (bytes memory refusal)
    {
        Task storage task = _task(id);
        address human = _stake(applicationId).human;
        if (caller != task.agent) return _notTheAgent(id, caller);
        if (task.status != IEscrow.Status.Posted) return _wrongStatus(id);
        if (_isValidator(caller)) return _validatorIsParty(caller);
        if (_isValidator(human)) return _validatorIsParty(human);
        refusal = _activationRefusal(applicationId, id);
        if (refusal.length != 0) return refusal;
        (task.status, task.human) = (IEscrow.Status.Active, human);
        (task.applicationId, task.panel) = (applicationId, rules.panel);
        _activate(applicationId, id);
        emit IEscrow.TaskCreated(id, caller, human, task.deposited, task.feeBasisPoints);
        emit IEscrow.TaskCreatedWithApplication(id, applicationId, caller);
    }

    function _submitted(address caller, uint256 id, bytes32 workHash)
        internal
        returns (bytes memory)
    {
        Task storage task = _task(id);
        if (task.status != IEscrow.Status.Active) return _wrongStatus(id);
        if (caller != task.human) return _notTheHuman(id, caller);
        if (workHash == 0) return abi.encodeWithSelector(IEscrow.EmptyWorkHash.selector, id);
        (task.status, task.workHash) = (IEscrow.Status.Submitted, workHash);
        (task.submittedAt, task.lastActivityAt) = (block.timestamp, block.timestamp);
        emit IEscrow.TaskSubmitted(id, caller, task.agent, block.timestamp);
        emit IEscrow.WorkCommitted(id, workHash);
        return ALLOWED;
    }

    function _agentApproved(address caller, uint256 id) internal returns (bytes memory) {
        Task storage task = _task(id);
        if (caller != task.agent) return _notTheAgent(id, caller);
        if (!_isDelivered(task)) return _wrongStatus(id);
        if (task.approved) return _hasApproved(id);
        (task.approved, task.lastActivityAt) = (true, block.timestamp);
        emit IEscrow.AgentApproved(id, caller, task.human);
        return ALLOWED;
    }

    function _disputed(address caller, uint256 id) internal returns (bytes memory) {
        Task storage task = _task(id);
        if (!_isParty(task, caller)) return _notAParty(id, caller);
        if (task.status != IEscrow.Status.Submitted) return _wrongStatus(id);
        if (task.approved) return _hasApproved(id);
        uint256 closesAt = task.submittedAt + 24 hours;
        if (block.timestamp >= closesAt) {
            return abi.encodeWithSelector(IEscrow.DisputeWindowClosed.selector, id, closesAt);
        }
        task.status = IEscrow.Status.Disputed;
        task.disputedBy = caller == task.agent ? IEscrow.Party.Agent : IEscrow.Party.Human;
        (task.disputedAt, task.lastActivityAt) = (block.timestamp, block.timestamp);
        emit IEscrow.TaskDisputed(id, caller, task.agent, block.timestamp);
        return ALLOWED;
    }

    function _cancelled(address caller, uint256 id) internal returns (bytes memory refusal) {
        refusal = _cancelRefusal(caller, id);
        if (refusal.length != 0) return refusal;
        Task storage task = _task(id);
        bool active = task.status == IEscrow.Status.Active;
        uint256 amount = _endTask(task, IEscrow.Status.Cancelled);
        task.refunded = amount;
        emit IEscrow.TaskCancelled(id, task.agent, task.human, amount, 0);
        if (active) _return(task.applicationId);
        _pay(address(escrow), task.agent, amount);
    }

    function _cancelRefusal(address caller, uint256 id) internal view returns (bytes memory) {
        Task storage task = _task(id);
        bool active = task.status == IEscrow.Status.Active;
        if (!active && task.status != IEscrow.Status.Posted) return _wrongStatus(id);
        return _isParty(task, caller) ? ALLOWED : _notAParty(id, caller);
    }

    function _endTask(Task storage task, IEscrow.Status end) internal returns (uint256 amount) {
        _enterEscrow();
        amount = task.live;
        (task.live, task.status) = (0, end);
        _free(task.agent, address(escrow), amount);
    }

    /// @dev Hook that runs before payments made while the escrow is locked.
    function _enterEscrow() internal virtual;

    function _isDelivered(Task storage task) internal view returns (bool) {
        return task.status == IEscrow.Status.Submitted || task.status == IEscrow.Status.Disputed;
    }

    function _isLive(Task storage task) internal view returns (bool) {
        return task.status != IEscrow.Status.None && task.status < IEscrow.Status.Released;
    }

    function _wrongStatus(uint256 id) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.WrongStatus.selector, id, _task(id).status);
    }

    function _hasApproved(uint256 id) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.AgentHasApproved.selector, id);
    }

    function _notTheHuman(uint256 id, address caller) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.NotTheHuman.selector, id, caller);
    }

    function _notTheAgent(uint256 id, address caller) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.NotTheAgent.selector, id, caller);
    }

    function _notAParty(uint256 id, address caller) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.NotAParty.selector, id, caller);
    }

    function _isParty(Task storage task, address caller) private view returns (bool) {
        return caller == task.agent || caller == task.human;
    }

    function _postRefusal(address caller, uint256 amount, uint16 fee)
        private
        view
        returns (bytes memory)
    {
        if (rules.paused) return abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        if (amount < MINIMUM) {
            return abi.encodeWithSelector(IEscrow.AmountBelowMinimum.selector, amount, MINIMUM);
        }
        if (fee != rules.fee) {
            return abi.encodeWithSelector(IEscrow.FeeMismatch.selector, fee, rules.fee);
        }
        if (_isValidator(caller)) return _validatorIsParty(caller);
        if (amount <= type(uint96).max) return ALLOWED;
        return abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 96, amount);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {typedDataDigest} from "../../utils/TypedData.sol";
import {TaskModel} from "./TaskModel.sol";

/// @dev Models how submitted work ends, by verdict or by timeout. Derived from the rules,
/// independently of the contracts' code.
abstract contract EndModel is TaskModel {
    struct Vote {
        address signer;
        bytes32 digest;
        bytes signature;
    }

    bytes32 private constant VERDICT_TYPE_HASH =
        keccak256("Verdict(uint256 taskId,bytes32 workHash,uint8 round,bool approved)");

    /// @dev Returns the time from which verdicts are rejected.
    function _due(Task storage task) internal view returns (uint256) {
        if (task.approved) return task.lastActivityAt + 72 hours;
        if (task.disputedBy == IEscrow.Party.Agent) return task.disputedAt + 120 hours;
        return task.lastActivityAt + 30 days;
    }

    function _roundOpensAt(Task storage task) internal view returns (uint256) {
        if (task.disputedBy == IEscrow.Party.Agent) return 0;
        if (task.disputedBy == IEscrow.Party.None && task.approved) return 0;
        return task.submittedAt + 24 hours;
    }

    function _settleableAt(Task storage task) internal view returns (uint256) {
        bool validatorsOwe = task.approved || task.disputedBy == IEscrow.Party.Agent;
        return validatorsOwe ? _due(task) : task.lastActivityAt + 37 days;
    }

    function _digest(uint256 id, bytes32 workHash, uint8 round, bool approved)
        internal
        view
        returns (bytes32)
    {
        bytes32 verdict = keccak256(abi.encode(VERDICT_TYPE_HASH, id, workHash, round, approved));
        return typedDataDigest("TaskmarketEscrow", address(escrow), verdict);
    }

    function _round(Task storage task) internal view returns (uint8) {
        return task.disputedBy == IEscrow.Party.None ? 0 : 1;
    }

    function _ruled(uint256 id, bool approve, Vote[] memory votes)
        internal
        returns (bytes memory refusal)
    {
        Task storage task = _task(id);
        refusal = _verdictRefusal(id, approve);
        if (refusal.length == 0) refusal = _quorumRefusal(id, approve, votes);
        if (refusal.length != 0) return refusal;
        if (!approve) return _refund(id);
        emit IEscrow.SubmissionApproved(id, task.agent, task.human);
        _release(id);
    }

    function _settled(uint256 id) internal returns (bytes memory refusal) {
        refusal = _settleRefusal(id);
        if (refusal.length == 0) _release(id);
    }

    function _settleRefusal(uint256 id) internal view returns (bytes memory) {
        Task storage task = _task(id);
        if (!_isDelivered(task)) return _wrongStatus(id);
        uint256 moment = _settleableAt(task);
        return block.timestamp < moment ? _notDue(id, moment) : ALLOWED;
    }

    function _emergencyReleased(address caller, uint256 id) internal returns (bytes memory) {
        Task storage task = _task(id);
        if (!_isDelivered(task)) return _wrongStatus(id);
        if (caller != task.human) return _notTheHuman(id, caller);
        uint256 moment = task.lastActivityAt + 30 days;
        if (block.timestamp < moment) return _notDue(id, moment);
        _release(id);
        return ALLOWED;
    }

    function _release(uint256 id) private {
        Task storage task = _task(id);
        uint256 amount = _endTask(task, IEscrow.Status.Released);
        uint256 fee = amount * task.feeBasisPoints / 10_000;
        (task.fee, task.paid) = (fee, amount - fee);
        fees += fee;
        ruledAgainst = task.agent;
        emit IEscrow.TaskReleased(id, task.human, task.agent, amount - fee, fee);
        _return(task.applicationId);
        _pay(address(escrow), task.human, amount - fee);
        _pay(address(escrow), address(treasury), fee);
    }

    function _refund(uint256 id) private returns (bytes memory) {
        Task storage task = _task(id);
        uint256 amount = _endTask(task, IEscrow.Status.Refunded);
        task.refunded = amount;
        emit IEscrow.SubmissionRejected(id, task.agent, task.human);
        emit IEscrow.TaskRefunded(id, task.agent, task.human, amount);
        _forfeit(task.applicationId);
        _pay(address(escrow), task.agent, amount);
        return ALLOWED;
    }

    function _verdictRefusal(uint256 id, bool approve) private view returns (bytes memory) {
        Task storage task = _task(id);
        if (!_isDelivered(task)) return _wrongStatus(id);
        if (!approve && task.approved) return _hasApproved(id);
        uint256 opensAt = _roundOpensAt(task);
        if (block.timestamp < opensAt) {
            return abi.encodeWithSelector(IEscrow.ReviewNotOpen.selector, id, opensAt);
        }
        if (block.timestamp < _due(task)) return ALLOWED;
        return abi.encodeWithSelector(IEscrow.ReviewClosed.selector, id, _due(task));
    }

    function _quorumRefusal(uint256 id, bool approve, Vote[] memory votes)
        private
        view
        returns (bytes memory)
    {
        Task storage task = _task(id);
        uint256 needed = quorum[task.panel];
        if (votes.length > 32) {
            return abi.encodeWithSelector(IEscrow.TooManySignatures.selector, votes.length, 32);
        }
        if (votes.length < needed) {
            return abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, votes.length, needed);
        }
        bytes32 digest = _digest(id, task.workHash, _round(task), approve);
        address previous;
        for (uint256 i = 0; i < votes.length; ++i) {
            address signer = _signerOf(digest, votes[i]);
            if (signer == address(0)) {
                return abi.encodeWithSelector(IEscrow.InvalidSignature.selector, i);
            }
            if (signer <= previous) {
                return abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, i);
            }
            if (!sits[task.panel][signer]) {
                return abi.encodeWithSelector(IEscrow.NotAValidatorOfTask.selector, id, signer);
            }
            previous = signer;
        }
        return ALLOWED;
    }

    /// @dev Returns the signer that a vote counts for. A key's signature of different data recovers
    /// to an unrelated account.
    function _signerOf(bytes32 digest, Vote memory vote) private view returns (address) {
        if (vote.digest == digest) return vote.signer;
        if (_isWallet(vote.signer)) return address(0);
        bytes memory signature = vote.signature;
        (bytes32 r, bytes32 s) = (bytes32(0), bytes32(0));
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(digest, v, r, s);
    }

    function _notDue(uint256 id, uint256 moment) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IEscrow.NotDue.selector, id, moment);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {signatureOf, vm} from "../../utils/Vm.sol";
import {TaskActions} from "./TaskActions.sol";

/// @dev Valid and invalid verdicts, and timeouts.
abstract contract EndActions is TaskActions {
    enum Flaw {
        None,
        TooFew,
        TooMany,
        Unordered,
        Doubled,
        Foreign,
        OtherRound,
        OtherTask,
        OtherVerdict,
        OtherWork,
        Malformed
    }

    function approveSubmission(uint256 seed) external acts(seed) {
        _rule(true);
    }

    function rejectSubmission(uint256 seed) external acts(seed) {
        _rule(false);
    }

    /// @dev Submits a verdict. Rejections are chosen more often than approvals, because more of
    /// them fail.
    function rule(uint256 seed) external acts(seed) {
        _rule(_once(4));
    }

    function settle(uint256 seed) external acts(seed) {
        uint256 id = _delivered();
        _approach(_settleableAt(_task(id)));
        bytes memory refusal = _settled(id);
        _do(_anyAccount(), address(escrow), abi.encodeCall(escrow.settle, (id)), refusal);
    }

    function emergencyRelease(uint256 seed) external acts(seed) {
        uint256 id = _delivered();
        Task storage task = _task(id);
        _approach(task.lastActivityAt + 30 days);
        address caller = _mostly(task.human);
        bytes memory refusal = _emergencyReleased(caller, id);
        _do(caller, address(escrow), abi.encodeCall(escrow.emergencyRelease, (id)), refusal);
    }

    /// @dev Calls functions that only the escrow is allowed to call.
    function intrude(uint256 seed) external acts(seed) {
        uint256 id = _draw(stakes.length + 1);
        address caller = _anyAccount();
        bytes memory refusal = abi.encodeWithSignature("NotTheEscrow(address)", caller);
        uint256 kind = _draw(3);
        bytes memory call = kind == 0
            ? abi.encodeCall(staking.activateStake, (id, _stake(id).taskId))
            : kind == 1
                ? abi.encodeCall(staking.returnStake, (id))
                : abi.encodeCall(staking.forfeitStake, (id));
        _do(caller, address(staking), call, refusal);
    }

    function _rule(bool approve) private {
        uint256 id = _delivered();
        for (uint256 i = 0; i < 4 && !approve && _task(id).approved; ++i) {
            id = _delivered();
        }
        Task storage task = _task(id);
        _approach(_once(10) ? _due(task) : _roundOpensAt(task));
        Vote[] memory votes = _votes(id, approve, _flaw());
        bytes memory refusal = _ruled(id, approve, votes);
        bytes[] memory signatures = new bytes[](votes.length);
        for (uint256 i = 0; i < votes.length; ++i) {
            signatures[i] = votes[i].signature;
        }
        bytes memory call = approve
            ? abi.encodeCall(escrow.approveSubmission, (id, signatures))
            : abi.encodeCall(escrow.rejectSubmission, (id, signatures));
        _do(_anyAccount(), address(escrow), call, refusal);
    }

    function _flaw() private returns (Flaw) {
        return _once(7) ? Flaw(1 + _draw(uint256(type(Flaw).max))) : Flaw.None;
    }

    /// @dev Returns signatures from a quorum of the task's panel, in order, with the given flaw.
    function _votes(uint256 id, bool approve, Flaw flaw) private returns (Vote[] memory votes) {
        Task storage task = _task(id);
        address[] memory signers = _signers(task.panel, flaw);
        bytes32 digest = _signedDigest(id, approve, flaw);
        votes = new Vote[](signers.length);
        for (uint256 i = 0; i < signers.length; ++i) {
            votes[i] = _vote(signers[i], digest);
        }
        if (flaw == Flaw.Malformed && votes.length != 0) {
            Vote memory vote = votes[votes.length - 1];
            (vote.signer, vote.signature) = (address(0), _once(2) ? new bytes(64) : new bytes(65));
        }
    }

    function _signedDigest(uint256 id, bool approve, Flaw flaw) private view returns (bytes32) {
        Task storage task = _task(id);
        uint8 round = flaw == Flaw.OtherRound ? 1 - _round(task) : _round(task);
        bytes32 work = flaw == Flaw.OtherWork ? bytes32(uint256(7)) : task.workHash;
        bool verdict = flaw == Flaw.OtherVerdict ? !approve : approve;
        return _digest(flaw == Flaw.OtherTask ? id + 1 : id, work, round, verdict);
    }

    function _signers(uint256 panel, Flaw flaw) private returns (address[] memory signers) {
        address[] memory all = _sorted(members[panel]);
        uint256 count = quorum[panel];
        if (flaw == Flaw.None && count < all.length && _once(3)) ++count;
        if (flaw == Flaw.TooFew && count != 0) --count;
        if (flaw == Flaw.TooMany) count = 33;
        signers = new address[](count);
        if (all.length == 0) return new address[](0);
        uint256 skipped = count < all.length ? _draw(all.length - count + 1) : 0;
        for (uint256 i = 0; i < count; ++i) {
            signers[i] = all[(i + skipped) % all.length];
        }
        if (count < 2) return signers;
        if (flaw == Flaw.Unordered) (signers[0], signers[1]) = (signers[1], signers[0]);
        if (flaw == Flaw.Doubled) signers[1] = signers[0];
        if (flaw == Flaw.Foreign) signers[count - 1] = candidates[_draw(candidates.length)];
    }

    /// @dev Signs with the stranger's key for a validator that has no key.
    function _vote(address signer, bytes32 digest) private view returns (Vote memory) {
        uint256 key = keyOf[signer];
        if (key == 0) (signer, key) = (vm.addr(1), 1);
        bytes memory signature = signatureOf(key, digest);
        if (_isWallet(signer)) signature = abi.encodePacked(signer, signature);
        return Vote(signer, digest, signature);
    }

    function _sorted(address[] memory list) private pure returns (address[] memory) {
        for (uint256 i = 1; i < list.length; ++i) {
            for (uint256 j = i; j > 0 && list[j] < list[j - 1]; --j) {
                (list[j], list[j - 1]) = (list[j - 1], list[j]);
            }
        }
        return list;
    }
}

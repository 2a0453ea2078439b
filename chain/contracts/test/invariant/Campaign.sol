// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm, vm} from "../utils/Vm.sol";
import {Checks} from "./Checks.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Performs one action and compares the outcome with the model's prediction: success or the
/// exact error, every event, every token transfer, and the resulting state.
abstract contract Campaign is Checks {
    uint256 private entropy;

    /// @dev Derives all random choices of an action from its single argument.
    modifier acts(uint256 seed) {
        entropy = seed;
        vm.recordLogs();
        _interfere();
        _;
    }

    /// @dev Makes a call that the model has already evaluated. `refusal` is the expected error, or
    /// empty if the call must succeed; then the model has recorded the effects and emitted the
    /// expected events.
    function _do(address caller, address target, bytes memory data, bytes memory refusal)
        internal
        returns (bool success)
    {
        bytes memory answer;
        (success, answer) = _call(caller, target, data);
        bytes4 action = bytes4(data);
        if (refusal.length == 0) {
            vm.assertTrue(success, string.concat(nameOf[action], ": allowed, but reverted"));
            _countDone(action);
        } else {
            vm.assertTrue(!success, string.concat(nameOf[action], ": forbidden, but succeeded"));
            _assertReason(action, answer, refusal);
            _countRefusal(bytes4(refusal));
        }
        _checkReentry(success);
        _checkEvents(action, success);
        _checkAccounts(caller, action);
    }

    /// @dev Hook for an additional action before each action; some profiles override it.
    function _interfere() internal virtual {}

    function _draw(uint256 below) internal returns (uint256) {
        entropy = uint256(keccak256(abi.encode(entropy)));
        return entropy % below;
    }

    function _once(uint256 inTimes) internal returns (bool) {
        return _draw(inTimes) == 0;
    }

    /// @dev Usually returns the authorised account, and sometimes any account.
    function _mostly(address right) internal returns (address) {
        return right == address(0) || _once(12) ? _anyAccount() : right;
    }

    function _anyAccount() internal returns (address) {
        return allAccounts[_draw(allAccounts.length - 1)];
    }

    /// @dev Makes a call as `caller`. A smart account relays its own calls.
    function _call(address caller, address target, bytes memory data)
        private
        returns (bool success, bytes memory answer)
    {
        if (caller == address(caller_)) return caller_.relay(target, data);
        vm.prank(caller);
        return target.call(data);
    }

    function _assertReason(bytes4 action, bytes memory have, bytes memory want) private view {
        if (keccak256(have) == keccak256(want)) return;
        string memory reasons =
            string.concat(nameOf[bytes4(have)], " instead of ", nameOf[bytes4(want)]);
        vm.assertTrue(false, string.concat(nameOf[action], ": reverted with ", reasons));
    }

    /// @dev Checks that the contracts emitted exactly the events that the model predicted.
    function _checkEvents(bytes4 action, bool success) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (!success) return;
        uint256 sum = 0;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (!_counts(logs[i])) continue;
            bytes32 hash = keccak256(abi.encode(logs[i].topics, logs[i].data));
            unchecked {
                if (logs[i].emitter == address(this)) sum += uint256(hash);
                else sum -= uint256(hash);
            }
        }
        vm.assertTrue(sum == 0, string.concat(nameOf[action], ": S5 events"));
        _foldAll(logs);
    }

    /// @dev Folds all events before the checks run, because several events can belong to one state
    /// change.
    function _foldAll(Vm.Log[] memory logs) private {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (_concerns(logs[i], address(escrow), tasks.length)) _foldTask(logs[i]);
            if (_concerns(logs[i], address(staking), stakes.length)) _foldStake(logs[i]);
        }
        for (uint256 i = 0; i < logs.length; ++i) {
            if (_concerns(logs[i], address(escrow), tasks.length)) {
                _checkTask(uint256(logs[i].topics[1]));
            }
            if (_concerns(logs[i], address(staking), stakes.length)) {
                _checkStake(uint256(logs[i].topics[1]));
            }
        }
    }

    /// @dev Whether the log is compared. It excludes `Approval`, which only the token emits, and
    /// the logs of reverted calls, which Foundry records too.
    function _counts(Vm.Log memory log) private view returns (bool) {
        if (log.topics[0] == IERC20.Approval.selector) return false;
        return !undone || log.emitter != address(escrow);
    }

    /// @dev Whether the log belongs to a task or stake. An indexed value below `count` is an id; a
    /// larger value is an address.
    function _concerns(Vm.Log memory log, address emitter, uint256 count)
        private
        view
        returns (bool)
    {
        if (log.emitter != emitter || log.topics.length < 2 || !_counts(log)) {
            return false;
        }
        return uint256(log.topics[1]) < count;
    }
}

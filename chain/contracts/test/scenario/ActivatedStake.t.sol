// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: an accepted human withdraws the stake before the verdict or twice after it, or uses
/// an old application id for a new stake. Stakes are stored by task and human, so all applications
/// of a human for one task share a slot. Defence: a stake stores its status and its current
/// application id. Only a Locked stake can be withdrawn or rejected, and only an Activated one
/// returned or forfeited, each only once and only under the current id.
contract ActivatedStakeTest is Books {
    IApplicationStaking.StakeStatus private constant ACTIVATED =
    IApplicationStaking.StakeStatus.Activated;
    IApplicationStaking.StakeStatus private constant ENDED = IApplicationStaking.StakeStatus.Ended;

    /// @dev Tries to withdraw in every status after acceptance, from every account, before and long
    /// after expiry.
    function test_CannotWithdrawWhileActivated() external {
        uint256 accepted = _active();
        uint256 submitted = _submitted();
        uint256 disputed = _disputed(agent);
        uint256 approved = _approved();
        uint256[4] memory tasks = [accepted, submitted, disputed, approved];
        uint256[4] memory times = [START, START + 7 days - 1, START + 7 days, START + 400 days];
        for (uint256 i = 0; i < tasks.length; ++i) {
            uint256 applicationId = escrow.getTask(tasks[i]).applicationId;
            for (uint256 j = 0; j < times.length; ++j) {
                vm.warp(times[j]);
                _assertStuck(applicationId, ACTIVATED);
            }
        }
    }

    /// @dev Each way of ending the task moves the stake once; the application id cannot be used
    /// afterwards.
    function test_CannotWithdrawAfterEnd() external {
        for (uint256 ending = 0; ending < 5; ++ending) {
            uint256 snapshot = cheats.snapshotState();
            uint256 taskId = ending == 4 ? _active() : ending == 0 ? _disputed(agent) : _submitted();
            uint256 applicationId = escrow.getTask(taskId).applicationId;
            Money memory books = _money();
            _end(taskId, ending);
            if (ending == 0) _bookRefund(books);
            else if (ending == 4) _bookCancel(books);
            else _bookRelease(books);
            _assertMoney(books);
            _assertStuck(applicationId, ENDED);
            vm.warp(START + 400 days);
            _assertStuck(applicationId, ENDED);
            _assertNoNewStake(taskId);
            cheats.revertToState(snapshot);
        }
    }

    /// @dev Replays old application ids of a human for a task while a later stake occupies the
    /// slot.
    function test_OldIdsReplayed() external {
        uint256 taskId = _post();
        uint256 withdrawn = _applyFor(taskId, human);
        _stakingAs(human).withdrawStake(withdrawn);
        uint256 rejected = _applyFor(taskId, human);
        _stakingAs(agent).rejectApplication(rejected);
        uint256 expired = _applyFor(taskId, human);
        vm.warp(START + 7 days);
        staking.withdrawStake(expired);
        uint256 live = _applyFor(taskId, human);

        uint256[3] memory old = [withdrawn, rejected, expired];
        for (uint256 i = 0; i < old.length; ++i) {
            _assertStuck(old[i], ENDED);
            vm.expectRevert(_notLocked(old[i], ENDED));
            _escrowAs(agent).acceptApplicationForTask(taskId, old[i]);
            vm.assertEq(staking.getStake(old[i]).amount, 0);
        }
        _accept(taskId, live);
        for (uint256 i = 0; i < old.length; ++i) {
            _assertStuck(old[i], ENDED);
        }
        _assertStuck(live, ACTIVATED);

        Money memory books = _money();
        _escrowAs(agent).cancelTask(taskId);
        _bookCancel(books);
        _assertMoney(books);
        vm.assertEq(books.human, FUNDS - STAKE, "only the rejected stake is gone");
        _assertEmpty();
    }

    /// @dev An application cannot be accepted for two tasks, and a human has at most one stake per
    /// task.
    function test_CannotAcceptTwice() external {
        (uint256 first, uint256 second) = (_post(), _post());
        uint256 applicationId = _applyFor(first, human);
        expectError(IApplicationStaking.AlreadyApplied.selector, applicationId);
        _stakingAs(human).lockApplicationStake(first, STAKE);
        expectError(IApplicationStaking.ApplicationForOtherTask.selector, applicationId, second);
        _escrowAs(agent).acceptApplicationForTask(second, applicationId);
        _accept(first, applicationId);
        vm.expectRevert(_notLocked(applicationId, ACTIVATED));
        _escrowAs(agent).acceptApplicationForTask(second, applicationId);
        _assertNoNewStake(first);
    }

    function _end(uint256 taskId, uint256 ending) private {
        if (ending == 0) {
            escrow.rejectSubmission(taskId, _verdict(taskId, false));
        } else if (ending == 1) {
            vm.warp(START + 24 hours);
            escrow.approveSubmission(taskId, _verdict(taskId, true));
        } else if (ending == 2) {
            vm.warp(START + 37 days);
            escrow.settle(taskId);
        } else if (ending == 3) {
            vm.warp(START + 30 days);
            _escrowAs(human).emergencyRelease(taskId);
        } else {
            _escrowAs(human).cancelTask(taskId);
        }
    }

    /// @dev Asserts that no account can withdraw or reject the stake, or return or forfeit it
    /// without the escrow.
    function _assertStuck(uint256 applicationId, IApplicationStaking.StakeStatus status) private {
        address[5] memory callers = [human, agent, rival, stranger, owner];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory call = abi.encodeCall(IApplicationStaking.withdrawStake, (applicationId));
            _assertRefused(callers[i], address(staking), call, _notLocked(applicationId, status));
            call = abi.encodeCall(IApplicationStaking.rejectApplication, (applicationId));
            _assertRefused(callers[i], address(staking), call, _notLocked(applicationId, status));
            bytes memory reason =
                abi.encodeWithSelector(IApplicationStaking.NotTheEscrow.selector, callers[i]);
            call = abi.encodeCall(IApplicationStaking.returnStake, (applicationId));
            _assertRefused(callers[i], address(staking), call, reason);
            call = abi.encodeCall(IApplicationStaking.forfeitStake, (applicationId));
            _assertRefused(callers[i], address(staking), call, reason);
        }
    }

    /// @dev Asserts that a new stake cannot reuse the slot of the old one.
    function _assertNoNewStake(uint256 taskId) private {
        expectError(IApplicationStaking.TaskNotOpen.selector, taskId);
        _stakingAs(human).lockApplicationStake(taskId, STAKE);
    }
}

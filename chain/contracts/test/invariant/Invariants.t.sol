// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Market} from "../utils/Market.sol";
import {OddToken} from "../utils/Tokens.sol";
import {vm} from "../utils/Vm.sol";
import {Handler} from "./Handler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev After any history, with payees that refuse, donations, and an owner who changes fee and
/// pause at will:
///
/// 1. each contract holds exactly what is open, credited and donated;
/// 2. per task, paid + refunded + fee + live == deposited, and it ended at most once;
/// 3. the fee is floor(deposited * bps / 10,000) of the day of posting, and only on release;
/// 4. only the steps of the diagram, and none out of an end;
/// 5. a verdict succeeds exactly when the rules say so, and never beside a time-out;
/// 6. everybody can get everything out, with the agents silent and the contracts paused.
contract InvariantsTest is Market {
    Handler private handler;
    OddToken private odd;

    function _newToken() internal override returns (IERC20) {
        odd = new OddToken();
        return odd;
    }

    function setUp() public override {
        super.setUp();
        handler = new Handler(escrow, odd, owner, keys);
        address[] memory actors = handler.actors();
        for (uint256 i = 0; i < actors.length; ++i) {
            _fund(actors[i]);
        }
        token.transfer(address(handler), FUNDS);
    }

    function targetContracts() external view returns (address[] memory) {
        return _list(address(handler));
    }

    function invariant_BalanceIsOpenCreditedAndDonated() external view {
        vm.assertEq(
            token.balanceOf(address(escrow)),
            _open() + _credits(true) + handler.donatedToEscrow(),
            "escrow"
        );
        vm.assertEq(
            token.balanceOf(address(staking)),
            _staked() + _credits(false) + handler.donatedToStaking(),
            "staking"
        );
    }

    function invariant_EachTaskBalances() external view {
        for (uint256 id = 1; id <= escrow.taskCount(); ++id) {
            (
                uint256 deposited,
                uint256 paid,
                uint256 refunded,
                uint256 fee,
                uint16 bps,
                uint8 ends
            ) = handler.books(id);
            IEscrow.TaskView memory task = escrow.getTask(id);
            vm.assertEq(paid + refunded + fee + task.amount, deposited, "conservation");
            vm.assertEq(ends, task.status >= 5 ? 1 : 0, "ends");
            vm.assertEq(fee, task.status == 5 ? deposited * bps / 10_000 : 0, "fee");
            vm.assertEq(task.feeBasisPoints, bps, "fee of the day of posting");
        }
    }

    function invariant_OnlyLegalSteps() external view {
        vm.assertEq(handler.illegalSteps(), 0, "illegal steps");
        vm.assertEq(handler.reopened(), 0, "ends left");
    }

    /// @dev Invariants of a handler that does nothing hold too, so: it does everything, often.
    function test_HandlerReachesEverything() external {
        bytes4[16] memory actions = [
            Handler.post.selector,
            Handler.apply_.selector,
            Handler.withdraw.selector,
            Handler.reject.selector,
            Handler.accept.selector,
            Handler.accept.selector,
            Handler.submit.selector,
            Handler.submit.selector,
            Handler.approve.selector,
            Handler.dispute.selector,
            Handler.cancel.selector,
            Handler.rule.selector,
            Handler.rule.selector,
            Handler.settle.selector,
            Handler.pass.selector,
            Handler.emergency.selector
        ];
        for (uint256 i = 0; i < 2000; ++i) {
            uint256 random = uint256(keccak256(abi.encode(i)));
            bytes4 action = actions[random % actions.length];
            (bool success,) = address(handler)
                .call(abi.encodeWithSelector(action, random >> 8, random >> 200 & 1));
            vm.assertTrue(success, "the handler reverted");
        }
        bytes4[13] memory reached = [
            escrow.postTask.selector,
            staking.lockApplicationStake.selector,
            staking.withdrawStake.selector,
            staking.rejectApplication.selector,
            escrow.acceptApplicationForTask.selector,
            escrow.submitTask.selector,
            escrow.agentApproveTask.selector,
            escrow.disputeTask.selector,
            escrow.cancelTask.selector,
            escrow.approveSubmission.selector,
            escrow.rejectSubmission.selector,
            escrow.settle.selector,
            escrow.emergencyRelease.selector
        ];
        for (uint256 i = 0; i < reached.length; ++i) {
            vm.assertTrue(handler.done(reached[i]) > 2, vm.toString(i));
        }
    }

    /// @dev The last word of every run: nobody but the humans acts, and nothing stays behind.
    function afterInvariant() external {
        odd.misbehave(OddToken.Fault.None, address(0));
        if (!escrow.paused()) {
            vm.prank(guardian);
            escrow.pause();
        }
        vm.warp(block.timestamp + 38 days);
        for (uint256 id = 1; id <= escrow.taskCount(); ++id) {
            _finish(id);
        }
        for (uint256 id = 1; id <= handler.applications(); ++id) {
            _release(id);
        }
        address[] memory actors = handler.actors();
        for (uint256 i = 0; i < actors.length; ++i) {
            _collect(actors[i]);
        }
        _collect(address(treasury));
        vm.assertEq(token.balanceOf(address(escrow)), handler.donatedToEscrow(), "escrow left");
        vm.assertEq(token.balanceOf(address(staking)), handler.donatedToStaking(), "stakes left");
    }

    function _finish(uint256 taskId) private {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        if (task.status == 3 || task.status == 4) return escrow.settle(taskId);
        if (task.status != 1 && task.status != 2) return;
        vm.prank(task.status == 1 ? task.agent : task.human);
        escrow.cancelTask(taskId);
    }

    function _release(uint256 applicationId) private {
        if (staking.getStake(applicationId).status == IApplicationStaking.StakeStatus.Locked) {
            staking.withdrawStake(applicationId);
        }
    }

    function _collect(address account) private {
        if (escrow.withdrawable(account) > 0) escrow.withdrawCredit(account);
        if (staking.withdrawable(account) > 0) staking.withdrawCredit(account);
    }

    function _open() private view returns (uint256 sum) {
        for (uint256 id = 1; id <= escrow.taskCount(); ++id) {
            sum += escrow.getTask(id).amount;
        }
    }

    function _staked() private view returns (uint256 sum) {
        for (uint256 id = 1; id <= handler.applications(); ++id) {
            sum += staking.getStake(id).amount;
        }
    }

    function _credits(bool ofEscrow) private view returns (uint256 sum) {
        address[] memory actors = handler.actors();
        for (uint256 i = 0; i < actors.length; ++i) {
            sum += ofEscrow ? escrow.withdrawable(actors[i]) : staking.withdrawable(actors[i]);
        }
        address last = address(treasury);
        sum += ofEscrow ? escrow.withdrawable(last) : staking.withdrawable(last);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {HungryToken} from "../utils/HungryToken.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Attack: a caller limits an exit's gas so that the token transfer runs out of gas while the
/// exit continues and records a credit, although the payment was possible. Defence: a nested call
/// leaves 1/64 of the gas to the caller, which is less than recording a credit costs, so the whole
/// exit reverts. The test tries gas limits in steps of `STEP` until the exit succeeds, and then each limit
/// in the last step, with the credit's storage slot as cheap as possible (warm and already written in the
/// same transaction).
contract GasStarvationTest is Books {
    HungryToken private hungry;

    /// @dev More gas than any supported token's transfer needs.
    uint256 private constant PLAIN_AT_MOST = 100_000;
    uint256 private constant STEP = 307;

    function _newToken() internal override returns (IERC20) {
        hungry = new HungryToken();
        return hungry;
    }

    function test_ApprovingVerdict() external {
        uint256 taskId = _approved();
        _search(
            stranger,
            address(escrow),
            abi.encodeCall(IEscrow.approveSubmission, (taskId, _verdict(taskId, true)))
        );
    }

    function test_RejectingVerdict() external {
        uint256 taskId = _disputed(agent);
        _search(
            stranger,
            address(escrow),
            abi.encodeCall(IEscrow.rejectSubmission, (taskId, _verdict(taskId, false)))
        );
    }

    function test_CancelPosted() external {
        uint256 taskId = _post();
        _search(agent, address(escrow), abi.encodeCall(IEscrow.cancelTask, (taskId)));
    }

    function test_CancelActive() external {
        uint256 taskId = _active();
        _search(human, address(escrow), abi.encodeCall(IEscrow.cancelTask, (taskId)));
    }

    function test_Settle() external {
        uint256 taskId = _approved();
        vm.warp(START + 72 hours);
        _search(stranger, address(escrow), abi.encodeCall(IEscrow.settle, (taskId)));
    }

    function test_Emergency() external {
        uint256 taskId = _submitted();
        vm.warp(START + 30 days);
        _search(human, address(escrow), abi.encodeCall(IEscrow.emergencyRelease, (taskId)));
    }

    function test_RejectApplication() external {
        uint256 applicationId = _applyFor(_post(), human);
        _search(
            agent,
            address(staking),
            abi.encodeCall(IApplicationStaking.rejectApplication, (applicationId))
        );
    }

    function test_WithdrawStake() external {
        uint256 applicationId = _applyFor(_post(), human);
        vm.warp(START + 7 days);
        _search(
            stranger,
            address(staking),
            abi.encodeCall(IApplicationStaking.withdrawStake, (applicationId))
        );
    }

    /// @dev Shows the limit of the defence, and that the search detects credits: a token whose
    /// transfer uses millions of gas can be starved. The recipient then has a credit that anyone
    /// can pay out; nothing is lost.
    function test_TokenOfMillionsCanBeStarved() external {
        uint256 taskId = _post();
        bytes memory cancel = abi.encodeCall(IEscrow.cancelTask, (taskId));
        Money memory books = _money();
        hungry.eat(3_000_000);
        (, uint256 credited) = _scan(agent, address(escrow), cancel, 2_500_000, 3_500_000, 50_000);
        vm.assertTrue(credited > 0, "no credit found");

        (bool success,) = _tryWith(credited, agent, address(escrow), cancel);
        vm.assertTrue(success);
        vm.assertEq(escrow.withdrawable(agent), AMOUNT);
        _escrowAs(stranger).withdrawCredit(agent);
        books.escrow -= AMOUNT;
        books.agent += AMOUNT;
        _assertMoney(books);
    }

    /// @dev Asserts that no gas limit leads to a credit, with a plain transfer and with the most
    /// expensive supported one.
    function _search(address caller, address target, bytes memory call) private {
        _makeCreditsCheap();
        _assertNoCredit(caller, target, call);
        hungry.eat(PLAIN_AT_MOST);
        _assertNoCredit(caller, target, call);
    }

    function _assertNoCredit(address caller, address target, bytes memory call) private {
        (uint256 least, uint256 credited) = _scan(caller, target, call, 25_000, 600_000, STEP);
        vm.assertTrue(least > 0, "no gas limit suffices");
        vm.assertEq(credited, 0, "credit in the coarse search");
        (, credited) = _scan(caller, target, call, least - STEP, least, 1);
        vm.assertEq(credited, 0, "credit in the fine search");
    }

    /// @dev Tries the gas limits `from`, `from + step`, … up to `to`. Returns the lowest that
    /// succeeds and the lowest that leaves a new credit, or 0 if there is none. Stops shortly after
    /// the first success, because further gas only reaches the transfer.
    function _scan(
        address caller,
        address target,
        bytes memory call,
        uint256 from,
        uint256 to,
        uint256 step
    ) private returns (uint256 least, uint256 credited) {
        uint256 before = _credits();
        for (uint256 limit = from; limit <= to && credited == 0; limit += step) {
            uint256 snapshot = cheats.snapshotState();
            (bool success,) = _tryWith(limit, caller, target, call);
            if (success && least == 0) (least, to) = (limit, limit + 20 * step);
            if (_credits() != before) credited = limit;
            cheats.revertToState(snapshot);
        }
    }

    function _tryWith(uint256 limit, address caller, address target, bytes memory call)
        private
        returns (bool success, bytes memory answer)
    {
        vm.prank(caller);
        return target.call{gas: limit}(call);
    }

    /// @dev Gives every recipient a credit by rejecting payments earlier in this transaction, so
    /// that the slots are warm and cheap to write again.
    function _makeCreditsCheap() private {
        (uint256 released, uint256 refunded) = (_approved(), _disputed(agent));
        hungry.refuse(true);
        escrow.approveSubmission(released, _verdict(released, true));
        escrow.rejectSubmission(refunded, _verdict(refunded, false));
        hungry.refuse(false);
    }

    function _credits() private view returns (uint256 sum) {
        address[3] memory payees = [agent, human, address(treasury)];
        for (uint256 i = 0; i < payees.length; ++i) {
            sum += escrow.withdrawable(payees[i]) + staking.withdrawable(payees[i]);
        }
    }
}

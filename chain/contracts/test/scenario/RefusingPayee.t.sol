// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {BlockingToken} from "../utils/BlockingToken.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {expectError, vm} from "../utils/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Attack: a recipient cannot receive transfers, because the token has blocked the account, or
/// in order to block the payments to others (the human's payment, the treasury's fee, the agent's
/// refund). Defence: the task still ends. The rejected amount becomes the recipient's credit, and
/// the others are paid. Anyone can pay out the credit later, once and only to that account.
contract RefusingPayeeTest is Books {
    BlockingToken private blocking;

    function _newToken() internal override returns (IERC20) {
        blocking = new BlockingToken();
        return blocking;
    }

    function test_Human() external {
        _assertBlocksNoEnd(human);
    }

    function test_Agent() external {
        _assertBlocksNoEnd(agent);
    }

    function test_Treasury() external {
        _assertBlocksNoEnd(address(treasury));
    }

    /// @dev Transfers to all three recipients are rejected: no tokens move, both tasks end, and all
    /// amounts are credited.
    function test_AllRecipientsRefuse() external {
        (uint256 released, uint256 refunded) = (_approved(), _disputed(agent));
        Money memory books = _money();
        blocking.set(human, true);
        blocking.set(agent, true);
        blocking.set(address(treasury), true);
        escrow.approveSubmission(released, _verdict(released, true));
        escrow.rejectSubmission(refunded, _verdict(refunded, false));
        _assertStatus(released, IEscrow.Status.Released);
        _assertStatus(refunded, IEscrow.Status.Refunded);
        _assertMoney(books);
        _assertCredits(human, PAYOUT, STAKE);
        _assertCredits(agent, AMOUNT, 0);
        _assertCredits(address(treasury), FEE_AMOUNT, STAKE);

        blocking.set(human, false);
        blocking.set(agent, false);
        blocking.set(address(treasury), false);
        _collect(human);
        _collect(agent);
        _collect(address(treasury));
        _bookRelease(books);
        _bookRefund(books);
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev Two rejected payments add up to one credit; a third, successful payment does not change
    /// it.
    function test_CreditsAddUp() external {
        uint256[3] memory tasks = [_approved(), _approved(), _approved()];
        Money memory books = _money();
        blocking.set(human, true);
        for (uint256 i = 0; i < 2; ++i) {
            escrow.approveSubmission(tasks[i], _verdict(tasks[i], true));
            _assertCredits(human, (i + 1) * PAYOUT, (i + 1) * STAKE);
            books.escrow -= FEE_AMOUNT;
            books.treasury += FEE_AMOUNT;
            _assertMoney(books);
        }
        blocking.set(human, false);
        escrow.approveSubmission(tasks[2], _verdict(tasks[2], true));
        _bookRelease(books);
        _assertMoney(books);
        _assertCredits(human, 2 * PAYOUT, 2 * STAKE);

        _collect(human);
        books.escrow -= 2 * PAYOUT;
        books.staking -= 2 * STAKE;
        books.human += 2 * (PAYOUT + STAKE);
        _assertMoney(books);
        _assertEmpty();
    }

    /// @dev A withdrawal attempt changes nothing while transfers to the account are rejected.
    function test_CreditSurvivesFailedWithdrawal() external {
        uint256 taskId = _active();
        blocking.set(agent, true);
        _escrowAs(human).cancelTask(taskId);
        for (uint256 i = 0; i < 3; ++i) {
            expectError(BlockingToken.Blocked.selector, agent);
            _escrowAs(agent).withdrawCredit(agent);
            _assertCredits(agent, AMOUNT, 0);
        }
    }

    /// @dev The recipient is called during the payout of the credit and requests the credit again
    /// from both contracts. Each contract pays its own credit once.
    function test_ReentrantWithdrawal() external {
        uint256 taskId = _approved();
        Money memory books = _money();
        blocking.set(human, true);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        blocking.set(human, false);

        bytes memory again = abi.encodeCall(ITokenCustody.withdrawCredit, (human));
        blocking.callOnReceipt(human, address(escrow), again);
        escrow.withdrawCredit(human);
        vm.assertEq(blocking.calls(), 1);
        vm.assertTrue(!blocking.succeeded(), "paid twice");

        blocking.callOnReceipt(human, address(staking), again);
        staking.withdrawCredit(human);
        vm.assertEq(blocking.calls(), 2);
        vm.assertTrue(!blocking.succeeded(), "paid twice");
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev During the payout of one contract's credit, the recipient withdraws the other
    /// contract's credit. Each is paid once, because the contracts have separate ledgers.
    function test_ReentrantAcrossContracts() external {
        uint256 taskId = _approved();
        Money memory books = _money();
        blocking.set(human, true);
        escrow.approveSubmission(taskId, _verdict(taskId, true));
        blocking.set(human, false);
        blocking.callOnReceipt(
            human, address(staking), abi.encodeCall(ITokenCustody.withdrawCredit, (human))
        );
        escrow.withdrawCredit(human);
        vm.assertTrue(blocking.succeeded(), "the other contract's credit");
        _bookRelease(books);
        _assertMoney(books);
        _assertNothing(human);
    }

    /// @dev Asserts that every way of ending a task or an application works while transfers to one
    /// account are rejected.
    function _assertBlocksNoEnd(address refusing) private {
        for (uint256 ending = 0; ending < 7; ++ending) {
            uint256 snapshot = cheats.snapshotState();
            (Money memory want, bytes memory call, address caller, address target) =
                _prepare(ending);
            Money memory before = _money();
            blocking.set(refusing, true);
            (bool success,) = _try(caller, target, call);
            vm.assertTrue(success, "the end is blocked");
            _assertAllButPaid(refusing, before, want);

            blocking.set(refusing, false);
            _collect(refusing);
            _assertMoney(want);
            _assertNothing(refusing);
            cheats.revertToState(snapshot);
        }
    }

    /// @dev Prepares one way of ending a task or an application. Returns the balances expected after it, the
    /// call, its caller and its target.
    function _prepare(uint256 ending)
        private
        returns (Money memory books, bytes memory call, address caller, address target)
    {
        (caller, target) = (stranger, address(escrow));
        if (ending < 2) return _prepareApplicationEnd(ending);
        uint256 taskId = ending == 6 ? _active() : ending == 4 ? _disputed(agent) : _approved();
        books = _money();
        if (ending == 6) {
            _bookCancel(books);
            return (books, abi.encodeCall(IEscrow.cancelTask, (taskId)), agent, target);
        }
        if (ending == 4) {
            bytes[] memory reject = _verdict(taskId, false);
            _bookRefund(books);
            call = abi.encodeCall(IEscrow.rejectSubmission, (taskId, reject));
            return (books, call, caller, target);
        }
        _bookRelease(books);
        if (ending == 2) {
            bytes[] memory approve = _verdict(taskId, true);
            call = abi.encodeCall(IEscrow.approveSubmission, (taskId, approve));
            return (books, call, caller, target);
        }
        vm.warp(START + 30 days);
        if (ending == 3) {
            return (books, abi.encodeCall(IEscrow.settle, (taskId)), caller, target);
        }
        return (books, abi.encodeCall(IEscrow.emergencyRelease, (taskId)), human, target);
    }

    function _prepareApplicationEnd(uint256 ending)
        private
        returns (Money memory books, bytes memory call, address caller, address target)
    {
        uint256 id = _applyFor(_post(), human);
        books = _money();
        books.staking -= STAKE;
        if (ending == 0) {
            books.treasury += STAKE;
            call = abi.encodeCall(IApplicationStaking.rejectApplication, (id));
            return (books, call, agent, address(staking));
        }
        books.human += STAKE;
        return
            (
                books,
                abi.encodeCall(IApplicationStaking.withdrawStake, (id)),
                human,
                address(staking)
            );
    }

    /// @dev Asserts that all balances are as expected, except that the rejecting account's balance
    /// is unchanged and the contracts owe it the difference.
    function _assertAllButPaid(address refusing, Money memory before, Money memory want)
        private
        view
    {
        (uint256 inEscrow, uint256 inStaking) =
            (escrow.withdrawable(refusing), staking.withdrawable(refusing));
        Money memory books = _copy(want);
        if (refusing == human) books.human = before.human;
        else if (refusing == agent) books.agent = before.agent;
        else books.treasury = before.treasury;
        books.escrow += inEscrow;
        books.staking += inStaking;
        _assertMoney(books);
        vm.assertEq(
            inEscrow + inStaking,
            want.human + want.agent + want.treasury - books.human - books.agent - books.treasury,
            "owed"
        );
    }

    function _copy(Money memory money) private pure returns (Money memory) {
        return abi.decode(abi.encode(money), (Money));
    }

    /// @dev Pays out the account's credits in calls from a stranger.
    function _collect(address account) private {
        if (escrow.withdrawable(account) > 0) {
            _escrowAs(stranger).withdrawCredit(account);
        }
        if (staking.withdrawable(account) > 0) {
            _stakingAs(stranger).withdrawCredit(account);
        }
    }

    function _assertCredits(address account, uint256 inEscrow, uint256 inStaking) private view {
        vm.assertEq(escrow.withdrawable(account), inEscrow, "credit of the escrow");
        vm.assertEq(staking.withdrawable(account), inStaking, "credit of the staking");
    }

    function _assertNothing(address account) private {
        bytes memory call = abi.encodeCall(ITokenCustody.withdrawCredit, (account));
        bytes memory reason =
            abi.encodeWithSelector(ITokenCustody.NothingToWithdraw.selector, account);
        _assertRefused(account, address(escrow), call, reason);
        _assertRefused(account, address(staking), call, reason);
    }
}

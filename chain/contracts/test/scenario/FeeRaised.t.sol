// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {Signature, signPermit} from "../utils/Permits.sol";
import {vm} from "../utils/Vm.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev Attack: an agent is quoted 5 % and signs. The owner raises the fee to the maximum before
/// the transaction is mined, or after the work is done. Defence: posting states the expected fee
/// and reverts if the current fee differs. The task stores its fee.
contract FeeRaisedTest is Books {
    uint16 private constant CAP = 2000;

    /// @dev After a fee change nothing is charged and the permit remains unused. The same call
    /// succeeds once the fee equals the quoted one again.
    function test_BetweenQuoteAndFunding() external {
        vm.prank(agent);
        token.approve(address(escrow), 0);
        IERC20Permit permitToken = IERC20Permit(address(token));
        Signature memory permit =
            signPermit(permitToken, AGENT_KEY, address(escrow), AMOUNT, START + 1 hours);
        bytes memory post = _postWithTerms(START + 1 hours, permit);
        uint16[3] memory changed = [CAP, FEE + 1, FEE - 1];
        for (uint256 i = 0; i < changed.length; ++i) {
            _setFee(changed[i]);
            bytes memory reason =
                abi.encodeWithSelector(IEscrow.FeeMismatch.selector, FEE, changed[i]);
            _assertRefused(agent, address(escrow), post, reason);
            vm.assertEq(token.allowance(agent, address(escrow)), 0);
            vm.assertEq(permitToken.nonces(agent), 0);
        }
        vm.assertEq(escrow.taskCount(), 0);

        _setFee(FEE);
        Money memory books = _money();
        (bool success,) = _try(agent, address(escrow), post);
        vm.assertTrue(success, "posting at the quoted fee failed");
        books.agent -= AMOUNT;
        books.escrow += AMOUNT;
        _assertMoney(books);
    }

    /// @dev Tests every status with locked money, a raised and a lowered fee, and every exit that
    /// pays.
    function test_LiveTasksUnaffected() external {
        uint16[4] memory later = [CAP, 0, FEE + 1, FEE - 1];
        for (uint256 i = 0; i < later.length; ++i) {
            for (uint256 state = 0; state < 4; ++state) {
                uint256 snapshot = cheats.snapshotState();
                _assertPaysItsOwnFee(state, later[i]);
                cheats.revertToState(snapshot);
            }
        }
    }

    /// @dev Open tasks created under different fees each pay the fee that they store.
    function test_EachTaskPaysItsOwnFee() external {
        uint256 cheap = _withFee(0);
        uint256 dear = _withFee(CAP);
        uint256 usual = _withFee(FEE);
        _setFee(1);
        Money memory books = _money();
        _approve(cheap);
        books.human += AMOUNT + STAKE;
        books.escrow -= AMOUNT;
        books.staking -= STAKE;
        _assertMoney(books);
        _approve(dear);
        books.human += AMOUNT * 80 / 100 + STAKE;
        books.treasury += AMOUNT * 20 / 100;
        books.escrow -= AMOUNT;
        books.staking -= STAKE;
        _assertMoney(books);
        _approve(usual);
        _bookRelease(books);
        _assertMoney(books);
    }

    /// @dev A refund charges no fee, regardless of the current fee.
    function test_RefundsChargeNoFee() external {
        uint256 cancelled = _active();
        uint256 rejected = _disputed(agent);
        _setFee(CAP);
        Money memory books = _money();
        _escrowAs(agent).cancelTask(cancelled);
        _bookCancel(books);
        _assertMoney(books);
        escrow.rejectSubmission(rejected, _verdict(rejected, false));
        _bookRefund(books);
        _assertMoney(books);
    }

    function _assertPaysItsOwnFee(uint256 state, uint16 later) private {
        uint256 taskId =
            state == 0 ? _post() : state == 1 ? _active() : state == 2 ? _submitted() : _approved();
        _setFee(later);
        if (state == 0) _accept(taskId, _applyFor(taskId, human));
        Money memory books = _money();
        if (state < 2) {
            _escrowAs(human).submitTask(taskId, WORK);
        }
        vm.assertEq(escrow.getTask(taskId).feeBasisPoints, FEE);
        if (state == 1) {
            vm.warp(START + 24 hours);
            escrow.approveSubmission(taskId, _verdict(taskId, true));
        } else if (state == 2) {
            vm.warp(START + 30 days);
            _escrowAs(human).emergencyRelease(taskId);
        } else {
            vm.warp(START + 37 days);
            escrow.settle(taskId);
        }
        _bookRelease(books);
        _assertMoney(books);
    }

    function _withFee(uint16 fee) private returns (uint256 taskId) {
        _setFee(fee);
        return _approved();
    }

    function _approve(uint256 taskId) private {
        escrow.approveSubmission(taskId, _verdict(taskId, true));
    }

    function _setFee(uint16 fee) private {
        _escrowAs(owner).setPlatformFee(fee);
    }
}

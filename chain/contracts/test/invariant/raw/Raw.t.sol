// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {vm} from "../../utils/Vm.sol";
import {BookToken} from "./BookToken.sol";
import {StakeBook, TaskBook} from "./Books.sol";
import {Targets} from "./Targets.sol";

/// @dev Foundry calls the contracts directly, with random arguments. These invariants must hold:
///
/// 1. Every step in the log was allowed at that time, for that party and, for a verdict, with that quorum; every payment was announced for its recipient.
/// 2. No tokens are created or destroyed; every balance is the sum of its transfers.
/// 3. Each task's deposit is fully accounted for as live, paid, refunded or fee.
/// 4. A contract's balance equals the live amounts or stakes, the credits and the donations.
/// 5. The views agree with the log for every task and every stake.
/// 6. Ended tasks and stakes have no amount and stay ended.
/// 7. A panel has 1 to 32 validators and its quorum is a majority of them.
/// 8. Even while paused, every task can be ended, and then only donations remain.
contract RawTest is Targets {
    /// forge-config: default.invariant.runs = 64
    /// forge-config: default.invariant.depth = 128
    /// forge-config: deep.invariant.runs = 2000
    /// forge-config: deep.invariant.depth = 128
    /// forge-config: default.invariant.fail-on-revert = false
    function invariant_Books() external {
        _foldRest();
        stepsAreLegal();
        noTokensAreCreated();
        vm.assertEq(escrow.taskCount(), ledger.taskCount(), "tasks");
        vm.assertEq(escrow.paused(), ledger.paused());
        contractsHoldWhatTheyOwe();
        for (uint256 id = 1; id <= ledger.taskCount(); ++id) {
            taskIsConserved(id);
            taskMatchesLog(id);
        }
        for (uint256 id = 1; id <= ledger.applicationCount(); ++id) {
            stakeMatchesLog(id);
        }
        panelsAreMajorities();
    }

    /// @dev At the end of a run, every account withdraws its funds, even while the contracts are
    /// paused.
    function afterInvariant() external {
        _foldRest();
        allFundsCanBeWithdrawn();
        stepsAreLegal();
        vm.assertEq(ledger.liveAmount(), 0, "live");
        vm.assertEq(ledger.stakedAmount(), 0, "staked");
        onlyDonationsRemain();
    }

    function stepsAreLegal() internal view {
        vm.assertEq(bytes(ledger.fault()).length, 0, ledger.fault());
    }

    function noTokensAreCreated() internal view {
        vm.assertEq(token.totalSupply(), ledger.supply(), "supply");
        address[] memory accounts = fixtureAccount();
        for (uint256 i = 0; i < accounts.length; ++i) {
            _assertBalance(accounts[i]);
        }
        _assertBalance(address(rewards));
    }

    function contractsHoldWhatTheyOwe() internal view {
        _assertHolds(address(escrow), ledger.liveAmount());
        _assertHolds(address(staking), ledger.stakedAmount());
        address[] memory accounts = fixtureAccount();
        for (uint256 i = 0; i < accounts.length; ++i) {
            address account = accounts[i];
            uint256 credit = ledger.credit(address(escrow), account);
            vm.assertEq(escrow.withdrawable(account), credit, "credit of the escrow");
            credit = ledger.credit(address(staking), account);
            vm.assertEq(staking.withdrawable(account), credit, "credit of the staking");
            vm.assertEq(rewards.claimed(account), ledger.claimed(account), "claimed");
        }
    }

    function taskIsConserved(uint256 taskId) internal view {
        TaskBook memory book = ledger.taskBook(taskId);
        uint256 sum = book.live + book.paid + book.refunded + book.fee;
        vm.assertEq(sum, book.deposited, "deposited");
        bool ended = uint8(book.status) >= uint8(IEscrow.Status.Released);
        vm.assertTrue((book.live == 0) == ended, "live amount after the end");
    }

    function taskMatchesLog(uint256 taskId) internal view {
        TaskBook memory book = ledger.taskBook(taskId);
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        vm.assertEq(task.agent, book.agent);
        vm.assertEq(task.human, book.human);
        vm.assertEq(task.amount, book.live, "amount");
        vm.assertEq(task.feeBasisPoints, book.feeBasisPoints, "fee");
        vm.assertEq(task.status, uint256(book.status), "status");
        vm.assertEq(task.agentApproved, book.approved);
        vm.assertEq(task.submittedAt, book.submittedAt, "submittedAt");
        vm.assertEq(task.lastActivityAt, book.lastActivityAt, "lastActivityAt");
        vm.assertEq(task.applicationId, book.applicationId, "applicationId");
        vm.assertEq(escrow.due(taskId), ledger.dueOf(taskId), "due");
        vm.assertEq(escrow.panelOf(taskId), book.panel, "panel");
        vm.assertEq(uint8(escrow.disputedBy(taskId)), uint8(book.disputedBy), "disputedBy");
    }

    function stakeMatchesLog(uint256 applicationId) internal view {
        StakeBook memory book = ledger.stakeBook(applicationId);
        IApplicationStaking.StakeView memory stake = staking.getStake(applicationId);
        vm.assertEq(stake.human, book.human);
        vm.assertEq(stake.taskId, book.taskId, "task of the stake");
        vm.assertEq(stake.amount, book.amount, "stake");
        vm.assertEq(uint8(stake.status), uint8(book.status), "status of the stake");
    }

    function panelsAreMajorities() internal view {
        uint256 panels = escrow.panel();
        vm.assertEq(panels, ledger.panelCount(), "panels");
        for (uint256 panel = 1; panel <= panels; ++panel) {
            uint256 size = escrow.validatorCountOf(panel);
            uint256 quorum = escrow.quorumOf(panel);
            vm.assertTrue(size >= 1 && size <= 32, "size of a panel");
            vm.assertTrue(quorum * 2 > size && quorum <= size, "quorum");
            vm.assertEq(quorum, ledger.panelBook(panel).quorum, "quorum of the log");
        }
    }

    function allFundsCanBeWithdrawn() internal {
        if (!escrow.paused()) {
            vm.prank(guardian);
            escrow.pause();
        }
        BookToken(address(token)).refuse(address(0));
        vm.warp(block.timestamp + 37 days);
        for (uint256 id = 1; id <= ledger.taskCount(); ++id) {
            _leaveTask(id);
        }
        for (uint256 id = 1; id <= ledger.applicationCount(); ++id) {
            bool locked = staking.getStake(id).status == IApplicationStaking.StakeStatus.Locked;
            if (locked) staking.withdrawStake(id);
        }
        address[] memory accounts = fixtureAccount();
        for (uint256 i = 0; i < accounts.length; ++i) {
            _withdrawCredits(accounts[i]);
        }
        _foldRest();
    }

    function onlyDonationsRemain() internal view {
        _assertHolds(address(escrow), 0);
        _assertHolds(address(staking), 0);
        vm.assertEq(ledger.credits(address(escrow)), 0, "credits");
        vm.assertEq(ledger.credits(address(staking)), 0, "credits");
    }

    function _leaveTask(uint256 taskId) private {
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        IEscrow.Status status = IEscrow.Status(task.status);
        if (status == IEscrow.Status.Submitted || status == IEscrow.Status.Disputed) {
            escrow.settle(taskId);
        } else if (status == IEscrow.Status.Posted || status == IEscrow.Status.Active) {
            vm.prank(status == IEscrow.Status.Posted ? task.agent : task.human);
            escrow.cancelTask(taskId);
        }
    }

    function _withdrawCredits(address account) private {
        if (escrow.withdrawable(account) != 0) escrow.withdrawCredit(account);
        if (staking.withdrawable(account) != 0) staking.withdrawCredit(account);
    }

    function _foldRest() private {
        ledger.fold(vm.getRecordedLogs());
    }

    function _assertBalance(address account) private view {
        vm.assertEq(token.balanceOf(account), ledger.balance(account), "balance");
    }

    function _assertHolds(address custodian, uint256 obligations) private view {
        uint256 want = obligations + ledger.credits(custodian) + ledger.donated(custodian);
        vm.assertEq(token.balanceOf(custodian), want, "holds");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {vm} from "../utils/Vm.sol";
import {Fold} from "./model/Fold.sol";
import {Names} from "./model/Names.sol";
import {ReentryModel} from "./model/ReentryModel.sol";

/// @dev The invariants listed in README.md, by name. Each compares the contracts with the model:
/// after every action for the records that it touched, and at the end of a run for all records.
abstract contract Checks is ReentryModel, Names, Fold {
    uint256 private constant NEVER = 0;

    /// @dev I1: a contract's balance equals its open amounts, credits and donations.
    function checkI1_BalanceIsOpenCreditedAndDonated() public view {
        address[2] memory custodies = _custodies();
        for (uint256 i = 0; i < 2; ++i) {
            address custody = custodies[i];
            uint256 held = live[custody] + credits[custody] + donated[custody];
            vm.assertEq(token.balanceOf(custody), held, "I1 balance == open + credits + donated");
        }
    }

    /// @dev I2, I3: paid + refunded + fee + live == deposited, and a fee is charged only on
    /// release.
    function _checkI2_I3(Task storage task) private view {
        uint256 out = task.paid + task.refunded + task.fee + task.live;
        vm.assertEq(out, task.deposited, "I2 conservation of the task");
        bool released = task.status == IEscrow.Status.Released;
        uint256 fee = released ? task.deposited * task.feeBasisPoints / 10_000 : 0;
        vm.assertEq(task.fee, fee, "I3 fee");
    }

    /// @dev I4: all token balances add up to the total supply.
    function checkI4_BalancesSumToSupply() public view {
        uint256 sum = token.balanceOf(address(escrow)) + token.balanceOf(address(staking))
            + token.balanceOf(address(this));
        for (uint256 i = 0; i < allAccounts.length; ++i) {
            sum += token.balanceOf(allAccounts[i]);
        }
        vm.assertEq(sum, token.totalSupply(), "I4 supply");
    }

    /// @dev I5: the treasury's balance equals all fees, forfeited stakes and donations, minus the
    /// owner's withdrawals.
    function checkI5_TreasuryGetsFeesAndForfeits() public view {
        address account = address(treasury);
        uint256 has =
            token.balanceOf(account) + escrow.withdrawable(account) + staking.withdrawable(account);
        uint256 due = fees + forfeits + treasuryDonations - treasuryWithdrawn;
        vm.assertEq(has, due, "I5 treasury");
    }

    /// @dev I6: a call can reduce another account's funds only if a rule allows it, and every
    /// balance equals the model's. Then clears the data recorded for this action.
    function _checkAccounts(address caller, bytes4 action) internal {
        for (uint256 i = 0; i < touched.length; ++i) {
            address account = touched[i];
            bool mayFall = account == caller || account == ruledAgainst
                || (reentered && account == address(reenterer)) || _isCustody(account);
            if (change[account] < 0 && !mayFall) {
                vm.assertTrue(false, string.concat(nameOf[action], ": I6 another account lost"));
            }
            change[account] = 0;
            _checkPurse(account);
        }
        delete touched;
        (ruledAgainst, escrowEnters, reentered, undone) = (address(0), false, false, false);
        checkI1_BalanceIsOpenCreditedAndDonated();
    }

    /// @dev S1-S6, T5, A1: the task returned by the views equals the model's task and the task
    /// reconstructed from the events.
    function _checkTask(uint256 id) internal view {
        Task storage task = _task(id);
        IEscrow.TaskView memory have = escrow.getTask(id);
        bytes32 hash = keccak256(abi.encode(have));
        vm.assertEq(hash, keccak256(abi.encode(_viewOf(task))), "S1 task equals the model");
        vm.assertEq(hash, keccak256(abi.encode(foldedTasks[id])), "S5 task equals the events");
        vm.assertTrue(_isLive(task) == (have.amount != 0), "S2 amount after the end");
        vm.assertTrue(have.agent == address(0) || have.human != have.agent, "S3 human != agent");
        vm.assertLe(have.lastActivityAt, block.timestamp, "S6 last activity in the future");
        vm.assertEq(escrow.due(id), _isDelivered(task) ? _due(task) : NEVER, "T2 due");
        vm.assertEq(escrow.panelOf(id), task.panel, "A1 panel of the acceptance");
        vm.assertEq(uint8(escrow.disputedBy(id)), uint8(task.disputedBy), "S1 disputed by");
        vm.assertEq(escrow.workHash(id), task.workHash, "S1 work");
        _checkI2_I3(task);
        _checkT3_VerdictOrTimeOut(task);
        _checkS2_NoStakeOutlivesItsTask(task);
        _checkV_ValidatorsAreNoParties(task);
    }

    /// @dev T3: a task cannot time out while a verdict can still end it, and vice versa.
    function _checkT3_VerdictOrTimeOut(Task storage task) private view {
        if (!_isDelivered(task)) return;
        vm.assertLe(_due(task), _settleableAt(task), "T3 verdict and timeout");
        vm.assertLe(_roundOpensAt(task), _due(task), "T3 the round opens before it closes");
    }

    function _checkS2_NoStakeOutlivesItsTask(Task storage task) private view {
        if (_isLive(task) || task.applicationId == 0) return;
        vm.assertEq(staking.getStake(task.applicationId).amount, 0, "S2 no stake after the end");
    }

    function _checkV_ValidatorsAreNoParties(Task storage task) private view {
        if (task.panel == 0) return;
        bool party = escrow.validatorIn(task.agent, task.panel)
            || escrow.validatorIn(task.human, task.panel);
        vm.assertTrue(!party, "V a validator is a party");
    }

    /// @dev S4, S5, applied to stakes.
    function _checkStake(uint256 id) internal view {
        Stake storage stake = _stake(id);
        IApplicationStaking.StakeView memory have = staking.getStake(id);
        bool superseded = latest[stake.taskId][stake.human] != id;
        vm.assertTrue(
            have.human == stake.human && have.taskId == stake.taskId, "S4 human of the stake"
        );
        vm.assertTrue(have.intendedAgent == _task(stake.taskId).agent, "S4 agent of the stake");
        vm.assertEq(have.amount, stake.live, "S4 stake amount");
        vm.assertEq(have.expiresAt, superseded ? 0 : stake.expiresAt, "S4 stake expiry");
        vm.assertTrue(have.status == stake.status, "S4 stake status");
        vm.assertEq(stake.live + stake.returned + stake.forfeited, stake.locked, "I2 stake");
        FoldedStake storage folded = foldedStakes[id];
        vm.assertTrue(
            folded.human == have.human && folded.taskId == have.taskId
                && folded.amount == have.amount && folded.status == have.status,
            "S5 stake equals the events"
        );
    }

    /// @dev V: each panel has at most 32 members and contains exactly the model's members, and its
    /// quorum is a majority of them.
    function checkV_PanelsAreMajorities() public view {
        vm.assertEq(escrow.panel(), rules.panel, "V panel");
        for (uint256 panel = 1; panel <= rules.panel; ++panel) {
            uint256 count = escrow.validatorCountOf(panel);
            uint256 needed = escrow.quorumOf(panel);
            vm.assertEq(count, members[panel].length, "V members");
            vm.assertEq(needed, quorum[panel], "V quorum");
            vm.assertTrue(needed * 2 > count && needed <= count && count <= 32, "V majority");
            for (uint256 i = 0; i < count; ++i) {
                vm.assertTrue(escrow.validatorIn(members[panel][i], panel), "V membership");
            }
        }
    }

    /// @dev A: the fee, the pause and the owners equal the model's.
    function checkA_Administration() public view {
        vm.assertEq(escrow.platformFeeBasisPoints(), rules.fee, "A fee");
        vm.assertLe(rules.fee, 2000, "A2 fee cap");
        vm.assertTrue(escrow.paused() == rules.paused, "A pause");
        vm.assertEq(escrow.owner(), ownerOf[address(escrow)]);
        vm.assertEq(treasury.owner(), ownerOf[address(treasury)]);
    }

    /// @dev Checks all records, including those that no action has touched.
    function sweep() public view {
        checkI4_BalancesSumToSupply();
        checkI5_TreasuryGetsFeesAndForfeits();
        checkV_PanelsAreMajorities();
        checkA_Administration();
        vm.assertEq(escrow.taskCount(), tasks.length - 1, "S4 ids of tasks");
        uint256 open = 0;
        for (uint256 id = 1; id <= tasks.length; ++id) {
            _checkTask(id);
            open += escrow.getTask(id).amount;
        }
        vm.assertEq(open, live[address(escrow)], "I1 open tasks");
        uint256 staked = 0;
        for (uint256 id = 1; id <= stakes.length; ++id) {
            _checkStake(id);
            staked += staking.getStake(id).amount;
        }
        vm.assertEq(staked, live[address(staking)], "I1 live stakes");
        for (uint256 i = 0; i < allAccounts.length; ++i) {
            _checkPurse(allAccounts[i]);
        }
    }

    /// @dev Checks that the reentrant call was made and had exactly the predicted result.
    function _checkReentry(bool success) internal {
        bool expected = success && reentered;
        vm.assertTrue(reenterer.called() == expected, "reentry");
        if (!expected) return;
        _countDone(reenterer.tokensReceived.selector);
        vm.assertTrue(reenterer.succeeded() == (reentryRefusal.length == 0), "reentrant call");
        if (reentryRefusal.length != 0) {
            vm.assertEq(keccak256(reenterer.answer()), keccak256(reentryRefusal), "reentry refusal");
            _countRefusal(bytes4(reentryRefusal));
        }
        reenterer.arm(address(0), "");
    }

    function _checkPurse(address account) private view {
        vm.assertEq(token.balanceOf(account), purse[account], "I6 balance");
        if (_isCustody(account)) return;
        address[2] memory custodies = _custodies();
        for (uint256 i = 0; i < 2; ++i) {
            uint256 have = ITokenCustody(custodies[i]).withdrawable(account);
            vm.assertEq(have, credit[custodies[i]][account], "I6 credit");
        }
    }

    function _isCustody(address account) private view returns (bool) {
        return account == address(escrow) || account == address(staking);
    }

    function _viewOf(Task storage task) private view returns (IEscrow.TaskView memory) {
        return IEscrow.TaskView({
            agent: task.agent,
            human: task.human,
            amount: task.live,
            feeBasisPoints: task.feeBasisPoints,
            status: uint8(task.status),
            agentApproved: task.approved,
            submittedAt: task.submittedAt,
            disputeDeadline: task.submittedAt == 0 ? 0 : task.submittedAt + 24 hours,
            lastActivityAt: task.lastActivityAt,
            applicationId: task.applicationId
        });
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../src/RewardDistributor.sol";
import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Books, Money} from "../utils/Books.sol";
import {cheats} from "../utils/Cheats.sol";
import {deploy} from "../utils/Deploy.sol";
import {signatureOf, vm} from "../utils/Vm.sol";

/// @dev Attack: between any two steps, tokens are sent directly to the contracts, one wei or a huge
/// amount, to break a balance check, to inflate a stake or fee, or to withdraw more than was
/// deposited. Defence: the contracts store amounts in their own ledgers and compare balances only
/// before and after an incoming transfer. Donations remain in the contracts, because no function
/// withdraws them.
contract DonationTest is Books {
    enum Ending {
        Approved,
        Rejected,
        Settled,
        Emergency,
        CancelledPosted,
        CancelledActive,
        StakeWithdrawn,
        StakeRejected
    }

    uint256 private constant SIGNER_KEY = 0xF1;
    uint96 private constant BUDGET = 100 ether;
    uint256 private constant HUGE = 1_000_000 ether;

    RewardDistributor private rewards;
    uint256 private gift;
    uint256 private donated;
    bytes32 private story;

    function setUp() public override {
        super.setUp();
        bytes memory arguments = abi.encode(token, owner, vm.addr(SIGNER_KEY), BUDGET);
        rewards = RewardDistributor(deploy("RewardDistributor", arguments));
        _give(address(rewards), 10 * BUDGET);
    }

    function test_OneWei() external {
        _assertChangesNothing(1);
    }

    function test_Fortune() external {
        _assertChangesNothing(HUGE);
    }

    /// @dev Neither the owner nor the donor can withdraw a donation.
    function test_DonationCannotBeWithdrawn() external {
        gift = HUGE;
        _live(Ending.Approved);
        address[6] memory takers = [agent, human, stranger, owner, address(treasury), address(this)];
        for (uint256 i = 0; i < takers.length; ++i) {
            bytes memory take = abi.encodeCall(ITokenCustody.withdrawCredit, (takers[i]));
            bytes memory reason =
                abi.encodeWithSelector(ITokenCustody.NothingToWithdraw.selector, takers[i]);
            _assertRefused(takers[i], address(escrow), take, reason);
            _assertRefused(takers[i], address(staking), take, reason);
        }
        vm.assertEq(token.balanceOf(address(escrow)), donated);
        vm.assertEq(token.balanceOf(address(staking)), donated);
    }

    /// @dev A voucher for any amount pays at most the daily budget, regardless of the distributor's
    /// balance.
    function test_DonationDoesNotRaiseBudget() external {
        _give(address(rewards), HUGE);
        vm.assertEq(rewards.available(), BUDGET);
        bytes32 digest = rewards.claimDigest(stranger, HUGE, START);
        rewards.claim(stranger, HUGE, START, signatureOf(SIGNER_KEY, digest));
        vm.assertEq(token.balanceOf(stranger), BUDGET);
        vm.assertEq(rewards.available(), 0);
    }

    /// @dev Runs every life cycle with and without donations: the parties' results are the same,
    /// and the contracts' balances differ only by the donations.
    function _assertChangesNothing(uint256 amount) private {
        for (uint256 i = 0; i <= uint256(Ending.StakeRejected); ++i) {
            Ending ending = Ending(i);
            uint256 snapshot = cheats.snapshotState();
            gift = 0;
            _live(ending);
            (Money memory books, bytes32 plain) = (_money(), story);
            vm.assertTrue(plain != 0);
            cheats.revertToState(snapshot);

            gift = amount;
            _live(ending);
            books.treasury += donated;
            books.escrow += donated;
            books.staking += donated;
            _assertMoney(books);
            vm.assertEq(story, plain, "the results differ");
            vm.assertEq(token.balanceOf(address(rewards)), 10 * BUDGET + donated, "distributor");
            cheats.revertToState(snapshot);
        }
    }

    function _live(Ending ending) private {
        _donate(0, 0);
        uint256 taskId = _post();
        _donate(taskId, 0);
        uint256 applicationId = _applyFor(taskId, human);
        _donate(taskId, applicationId);
        if (ending == Ending.CancelledPosted) return _cancel(taskId, applicationId);
        if (ending == Ending.StakeWithdrawn || ending == Ending.StakeRejected) {
            vm.prank(ending == Ending.StakeWithdrawn ? human : agent);
            if (ending == Ending.StakeWithdrawn) staking.withdrawStake(applicationId);
            else staking.rejectApplication(applicationId);
            return _donate(taskId, applicationId);
        }
        _accept(taskId, applicationId);
        _donate(taskId, applicationId);
        if (ending == Ending.CancelledActive) return _cancel(taskId, applicationId);
        _escrowAs(human).submitTask(taskId, WORK);
        _donate(taskId, applicationId);
        _end(taskId, ending);
        _donate(taskId, applicationId);
    }

    function _cancel(uint256 taskId, uint256 applicationId) private {
        _escrowAs(agent).cancelTask(taskId);
        _donate(taskId, applicationId);
    }

    function _end(uint256 taskId, Ending ending) private {
        if (ending == Ending.Emergency) {
            vm.warp(START + 30 days);
            return _escrowAs(human).emergencyRelease(taskId);
        }
        if (ending == Ending.Rejected) {
            _escrowAs(agent).disputeTask(taskId);
            _donate(taskId, 1);
            return escrow.rejectSubmission(taskId, _verdict(taskId, false));
        }
        _escrowAs(agent).agentApproveTask(taskId);
        _donate(taskId, 1);
        if (ending == Ending.Approved) {
            return escrow.approveSubmission(taskId, _verdict(taskId, true));
        }
        vm.warp(START + 72 hours);
        escrow.settle(taskId);
    }

    /// @dev Donates to every contract and adds the views' results to `story`.
    function _donate(uint256 taskId, uint256 applicationId) private {
        _give(address(escrow), gift);
        _give(address(staking), gift);
        _give(address(treasury), gift);
        _give(address(rewards), gift);
        donated += gift;
        IEscrow.TaskView memory task = escrow.getTask(taskId);
        story = keccak256(
            abi.encode(
                story,
                task,
                escrow.due(taskId),
                staking.requiredStake(taskId),
                staking.getStake(applicationId),
                rewards.available()
            )
        );
    }
}

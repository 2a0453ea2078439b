// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RewardDistributor} from "../../../src/RewardDistributor.sol";
import {Market} from "../../utils/Market.sol";
import {vm} from "../../utils/Vm.sol";
import {BookToken} from "./BookToken.sol";
import {Ledger} from "./Ledger.sol";
import {World} from "./World.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev A market with tasks in every status, and the callers, functions and arguments for random
/// calls. Foundry finds the functions below by their names.
abstract contract Targets is Market {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    uint96 internal constant BUDGET = 50 ether;

    RewardDistributor internal rewards;
    Ledger internal ledger;
    World internal world;

    function setUp() public virtual override {
        vm.recordLogs();
        super.setUp();
        rewards = new RewardDistributor(token, owner, vm.addr(0xF1), BUDGET);
        ledger = new Ledger(
            address(token),
            address(escrow),
            address(staking),
            address(treasury),
            address(rewards),
            owner
        );
        world = new World(ledger, escrow, rewards, token);
        vm.assertTrue(token.transfer(address(rewards), 200 ether));
        vm.assertTrue(token.transfer(address(world), FUNDS));
        _stand();
        ledger.fold(vm.getRecordedLogs());
    }

    function _newToken() internal override returns (IERC20) {
        return new BookToken(1000 * FUNDS);
    }

    /// @dev Creates tasks 1 to 10. The first three are old enough to time out.
    function _stand() private {
        _submitted();
        _approved();
        _applyFor(_post(), rival);
        ledger.fold(vm.getRecordedLogs());
        vm.warp(START + 37 days);
        _applyFor(_post(), human);
        _active();
        _submitted();
        _disputed(agent);
        _disputed(human);
        _applyFor(_post(0.01 ether), rival);
        world.rule(_disputed(agent), false, 1);
    }

    // Callers. The parties are listed more often than other accounts.

    function targetSenders() external view returns (address[] memory) {
        address[] memory senders = new address[](13);
        for (uint256 i = 0; i < 5; ++i) {
            senders[i] = agent;
            if (i < 4) senders[5 + i] = human;
        }
        (senders[9], senders[10], senders[11]) = (rival, owner, guardian);
        senders[12] = stranger;
        return senders;
    }

    // Functions.

    function targetContracts() external view virtual returns (address[] memory targets) {
        targets = new address[](6);
        (targets[0], targets[1], targets[2]) = (address(escrow), address(staking), address(token));
        (targets[3], targets[4]) = (address(treasury), address(rewards));
        targets[5] = address(world);
    }

    function targetSelectors() external view virtual returns (FuzzSelector[] memory selectors) {
        selectors = new FuzzSelector[](6);
        selectors[0] = FuzzSelector(address(escrow), _ofEscrow());
        selectors[1] = FuzzSelector(address(staking), _ofStaking());
        selectors[2] = FuzzSelector(address(token), _ofToken());
        selectors[3] = FuzzSelector(address(treasury), _one(treasury.withdraw.selector));
        selectors[4] = FuzzSelector(address(rewards), _ofRewards());
        selectors[5] = FuzzSelector(address(world), _ofWorld());
    }

    /// @dev Lists all functions except `changePanel`, whose arguments `World` generates. The
    /// parties' functions are listed twice.
    function _ofEscrow() internal view returns (bytes4[] memory list) {
        list = new bytes4[](26);
        list[0] =
            bytes4(keccak256("postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)"));
        list[1] = bytes4(
            keccak256("postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)")
        );
        list[2] = escrow.postTask.selector;
        list[3] = escrow.acceptApplicationForTask.selector;
        list[4] = escrow.submitTask.selector;
        list[5] = escrow.agentApproveTask.selector;
        list[6] = escrow.disputeTask.selector;
        list[7] = escrow.approveSubmission.selector;
        list[8] = escrow.rejectSubmission.selector;
        list[9] = escrow.cancelTask.selector;
        list[10] = escrow.settle.selector;
        list[11] = escrow.emergencyRelease.selector;
        list[12] = escrow.withdrawCredit.selector;
        list[13] = escrow.setPlatformFee.selector;
        list[14] = escrow.pause.selector;
        list[15] = escrow.unpause.selector;
        list[16] = escrow.transferOwnership.selector;
        list[17] = escrow.acceptOwnership.selector;
        for (uint256 i = 0; i < 8; ++i) {
            list[18 + i] = list[i < 5 ? 2 + i : 4 + i];
        }
    }

    function _ofStaking() internal view returns (bytes4[] memory list) {
        list = new bytes4[](11);
        list[0] = staking.lockApplicationStake.selector;
        list[1] = staking.lockApplicationStakeWithPermit.selector;
        list[2] = staking.rejectApplication.selector;
        list[3] = staking.withdrawStake.selector;
        list[4] = staking.withdrawCredit.selector;
        list[5] = staking.activateStake.selector;
        list[6] = staking.returnStake.selector;
        list[7] = staking.forfeitStake.selector;
        (list[8], list[9], list[10]) = (list[0], list[2], list[3]);
    }

    function _ofToken() private pure returns (bytes4[] memory list) {
        list = new bytes4[](4);
        list[0] = IERC20.transfer.selector;
        list[1] = IERC20.approve.selector;
        list[2] = IERC20.transferFrom.selector;
        list[3] = BookToken.refuse.selector;
    }

    function _ofRewards() private view returns (bytes4[] memory list) {
        list = new bytes4[](3);
        list[0] = rewards.claim.selector;
        list[1] = rewards.setBudget.selector;
        list[2] = rewards.setSigner.selector;
    }

    function _ofWorld() private view returns (bytes4[] memory list) {
        list = new bytes4[](8);
        list[0] = world.pass.selector;
        list[1] = world.passToEdge.selector;
        list[2] = world.donate.selector;
        list[3] = world.rule.selector;
        list[4] = world.reform.selector;
        list[5] = world.claim.selector;
        list[6] = world.pass.selector;
        list[7] = world.rule.selector;
    }

    function _one(bytes4 selector) private pure returns (bytes4[] memory list) {
        list = new bytes4[](1);
        list[0] = selector;
    }

    // Arguments, by parameter name.

    function fixtureTaskId() external pure returns (uint256[] memory) {
        return _upTo(10);
    }

    function fixtureApplicationId() external pure returns (uint256[] memory) {
        return _upTo(10);
    }

    /// @dev The amounts of the tasks created in the set-up, and the stakes that they require.
    function fixtureAmount() external pure returns (uint256[] memory list) {
        list = new uint256[](5);
        (list[0], list[1], list[2]) = (AMOUNT, STAKE, STAKE);
        (list[3], list[4]) = (0.01 ether, 0.001 ether);
    }

    function fixtureFeeBasisPoints() external pure returns (uint16[] memory list) {
        list = new uint16[](4);
        (list[0], list[1], list[2], list[3]) = (FEE, FEE, FEE, 2000);
    }

    function fixtureAccount() public view returns (address[] memory list) {
        list = new address[](5);
        (list[0], list[1], list[2]) = (agent, human, rival);
        (list[3], list[4]) = (address(treasury), stranger);
    }

    function fixturePayee() external view returns (address[] memory) {
        return fixtureAccount();
    }

    function fixtureTo() external view returns (address[] memory) {
        return fixtureAccount();
    }

    function fixtureSpender() external view returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (address(escrow), address(staking));
    }

    function fixtureNewOwner() external view returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (owner, guardian);
    }

    function fixtureToken() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(token);
    }

    function _upTo(uint256 last) private pure returns (uint256[] memory list) {
        list = new uint256[](last);
        for (uint256 i = 0; i < last; ++i) {
            list[i] = i + 1;
        }
    }
}

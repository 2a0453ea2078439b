// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {IPanels} from "../../src/interfaces/IPanels.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {expectError, vm} from "../utils/Vm.sol";

/// @dev Attack: an owner who wants the market blocked, or for sale, creates an empty panel, one
/// with an unreachable quorum, or one in which two opposite verdicts can both reach the quorum.
///
/// Defence: a panel has 1 to 32 validators and a quorum that is a majority of them and at most all.
/// A failed change leaves the current panel unchanged. A live task keeps its own panel, which can
/// always reach its quorum; if that panel does not respond, a time-out pays.
contract PanelUnreachableTest is OwnerStory {
    address[] private none;

    function test_EmptyPanel() external {
        uint256 taskId = _disputed(agent);
        for (uint8 quorum = 0; quorum < 3; ++quorum) {
            _refusesPanel(none, validators, quorum, 0);
        }
        _stillRuled(taskId);
    }

    function test_QuorumOutOfReach() external {
        uint256 taskId = _disputed(agent);
        uint8[3] memory tooMany = [4, 128, 255];
        for (uint256 i = 0; i < tooMany.length; ++i) {
            _refusesPanel(none, none, tooMany[i], 3);
        }
        _refusesPanel(none, _list(validators[0]), 3, 2);
        _stillRuled(taskId);
    }

    /// @dev 129 doubled is 2 in eight bits, which must not pass for a majority.
    function test_QuorumForBothSides() external {
        uint256 taskId = _disputed(agent);
        _refusesPanel(none, none, 0, 3);
        _refusesPanel(none, none, 1, 3);
        _refusesPanel(none, none, 129, 3);
        _refusesPanel(_list(stranger), none, 2, 4);
        _refusesPanel(none, _list(validators[0]), 1, 2);
        _stillRuled(taskId);
    }

    function test_Crowd() external {
        uint256 taskId = _disputed(agent);
        address[] memory crowd = new address[](30);
        for (uint160 i = 0; i < crowd.length; ++i) {
            crowd[i] = address(0x1000 + i);
        }
        bytes memory reason = abi.encodeWithSelector(IPanels.TooManyValidators.selector, 33, 32);
        vm.expectRevert(reason);
        _escrowAs(owner).changePanel(crowd, none, 17);
        _stillRuled(taskId);
    }

    /// @dev Counting one account twice would make a panel smaller than reported.
    function test_TheSameTwice() external {
        uint256 taskId = _disputed(agent);
        address[] memory twice = new address[](2);
        (twice[0], twice[1]) = (stranger, stranger);
        bytes memory reason = abi.encodeWithSelector(IPanels.ValidatorKnown.selector, stranger);
        vm.expectRevert(reason);
        _escrowAs(owner).changePanel(twice, none, 3);

        (twice[0], twice[1]) = (validators[0], validators[0]);
        reason = abi.encodeWithSelector(IPanels.ValidatorUnknown.selector, validators[0]);
        vm.expectRevert(reason);
        _escrowAs(owner).changePanel(none, twice, 1);

        // Out and in again in one change would carry the old membership away from live tasks.
        reason = abi.encodeWithSelector(IPanels.ValidatorKnown.selector, validators[0]);
        address[] memory one = _list(validators[0]);
        vm.expectRevert(reason);
        _escrowAs(owner).changePanel(one, one, 2);
        _stillRuled(taskId);
    }

    /// @dev All of the task's panel are dismissed, one friend rules alone from now on: the old task
    /// is the old panel's and the new one the friend's.
    function test_OneFriendIsLeft() external {
        uint256 old = _disputed(agent);
        _changePanel(_list(vm.addr(friendKeys[0])), validators, 1);
        uint256 later = _disputed(agent);
        _assertBooks(0, 2, 0, 0);

        bytes[] memory friend = _friendAlone(old, false);
        _refuses(
            owner,
            _ruling(old, false, friend),
            abi.encodeWithSelector(IEscrow.QuorumNotReached.selector, 1, QUORUM)
        );
        escrow.approveSubmission(old, _verdict(old, true));
        _assertBooks(0, 1, 1, 0);
        escrow.rejectSubmission(later, _friendAlone(later, false));
        _assertBooks(0, 0, 1, 1);
    }

    /// @dev The dismissed lose interest and never sign: the agent's dispute ends in 120 hours.
    function test_DismissedFallSilent() external {
        uint256 taskId = _disputed(agent);
        _replacePanel();
        vm.warp(START + 120 hours);
        escrow.settle(taskId);
        _assertReleased();
    }

    function _refusesPanel(
        address[] memory added,
        address[] memory removed,
        uint8 quorum,
        uint256 validators_
    ) private {
        expectError(IPanels.InvalidQuorum.selector, quorum, validators_);
        _escrowAs(owner).changePanel(added, removed, quorum);
    }

    /// @dev The panel in force is the first, untouched, and it rules the task.
    function _stillRuled(uint256 taskId) private {
        vm.assertEq(escrow.panel(), 1);
        vm.assertEq(escrow.quorumOf(1), QUORUM);
        vm.assertEq(escrow.quorumOf(2), 0);
        vm.assertEq(escrow.validatorCountOf(1), validators.length);
        for (uint256 i = 0; i < validators.length; ++i) {
            vm.assertTrue(escrow.isValidator(validators[i]));
        }
        _assertBound();
        escrow.rejectSubmission(taskId, _verdict(taskId, false));
        _assertRefunded();
    }

    function _friendAlone(uint256 taskId, bool approved) private view returns (bytes[] memory) {
        bytes[] memory signatures = new bytes[](1);
        signatures[0] = _signature(friendKeys[0], escrow.verdictDigest(taskId, approved));
        return signatures;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {IPanels} from "../../src/interfaces/IPanels.sol";
import {OwnerStory} from "../utils/OwnerStory.sol";
import {expectError, signatureOf, vm} from "../utils/Vm.sol";

/// @dev Attack: an owner who wants to block the market or sell verdicts creates an empty panel, a
/// panel with an unreachable quorum, or one in which two opposite verdicts can both reach the
/// quorum.
///
/// Defence: a panel has 1 to 32 validators, and its quorum is a majority of them and at most their
/// number. A failed change leaves the current panel unchanged. A live task keeps its own panel,
/// whose quorum is always reachable. If that panel does not respond, a timeout pays.
contract PanelUnreachableTest is OwnerStory {
    address[] private none;

    /// @dev Tests a quorum above the number of validators, one that is not a majority, and 129,
    /// whose double overflows to 2 in eight bits.
    function test_QuorumOutOfReach() external {
        uint256 taskId = _disputed(agent);
        uint8[6] memory quorums = [0, 1, 4, 128, 129, 255];
        for (uint256 i = 0; i < quorums.length; ++i) {
            _refusesPanel(none, none, quorums[i], 3);
        }
        _refusesPanel(none, _list(validators[0]), 3, 2);
        _refusesPanel(none, _list(validators[0]), 1, 2);
        _refusesPanel(_list(stranger), none, 2, 4);
        _assertPanelUnchanged(taskId);
    }

    /// @dev A panel must not list the same account twice, because its count would then exceed the
    /// number of its members.
    function test_DuplicateValidators() external {
        uint256 taskId = _disputed(agent);
        address[] memory twice = new address[](2);
        (twice[0], twice[1]) = (stranger, stranger);
        expectError(IPanels.ValidatorKnown.selector, stranger);
        _escrowAs(owner).changePanel(twice, none, 3);

        (twice[0], twice[1]) = (validators[0], validators[0]);
        expectError(IPanels.ValidatorUnknown.selector, validators[0]);
        _escrowAs(owner).changePanel(none, twice, 1);

        // Removing and adding the same account in one change would alter the membership for live
        // tasks too.
        address[] memory one = _list(validators[0]);
        expectError(IPanels.ValidatorKnown.selector, validators[0]);
        _escrowAs(owner).changePanel(one, one, 2);
        _assertPanelUnchanged(taskId);
    }

    /// @dev The owner removes the whole panel and adds one friend with a quorum of one. The old
    /// panel decides the old task, and the friend decides the new one.
    function test_ReplacedPanelDecidesLaterTasksOnly() external {
        uint256 old = _disputed(agent);
        _changePanel(_list(vm.addr(friendKeys[0])), validators, 1);
        uint256 later = _disputed(agent);
        _assertBooks(0, 2, 0, 0);

        bytes[] memory friend = _friendAlone(old, false);
        expectError(IEscrow.QuorumNotReached.selector, 1, QUORUM);
        _escrowAs(owner).rejectSubmission(old, friend);
        escrow.approveSubmission(old, _verdict(old, true));
        _assertBooks(0, 1, 1, 0);
        escrow.rejectSubmission(later, _friendAlone(later, false));
        _assertBooks(0, 0, 1, 1);
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

    /// @dev Asserts that the first panel is still the current one, is unchanged and decides the
    /// task.
    function _assertPanelUnchanged(uint256 taskId) private {
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
        signatures[0] = signatureOf(friendKeys[0], escrow.verdictDigest(taskId, approved));
        return signatures;
    }
}

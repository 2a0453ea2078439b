// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted} from "./Ballots.sol";
import {Story} from "./Story.sol";
import {expectError, vm} from "./Vm.sol";

/// @dev A scenario in which the owner has three friends: keys that can become validators, sorted by
/// address.
abstract contract OwnerStory is Story {
    uint256[3] internal friendKeys = [0xF1, 0xF2, 0xF3];

    function _friends() internal view returns (address[] memory friends) {
        friends = new address[](friendKeys.length);
        for (uint256 i = 0; i < friends.length; ++i) {
            friends[i] = vm.addr(friendKeys[i]);
        }
    }

    function _changePanel(address[] memory added, address[] memory removed, uint8 quorum) internal {
        vm.prank(owner);
        escrow.changePanel(added, removed, quorum);
    }

    /// @dev Replaces all validators with the friends.
    function _replacePanel() internal {
        _changePanel(_friends(), validators, QUORUM);
    }

    function _friendsVerdict(uint256 taskId, bool approved) internal view returns (bytes[] memory) {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        Ballot[] memory ballots = new Ballot[](friendKeys.length);
        for (uint256 i = 0; i < ballots.length; ++i) {
            ballots[i] = ballotOf(friendKeys[i], digest);
        }
        return counted(ballots);
    }

    /// @dev Asserts that a verdict signed by the friends reverts, because they are not on the
    /// task's panel. The error contains the lowest signer.
    function _refusesFriends(uint256 taskId, bool approved) internal {
        bytes[] memory signatures = _friendsVerdict(taskId, approved);
        _refusesSigner(vm.addr(friendKeys[0]), taskId, approved, signatures);
    }

    /// @dev Asserts that the verdict reverts because `signer` is not on the task's panel.
    function _refusesSigner(
        address signer,
        uint256 taskId,
        bool approved,
        bytes[] memory signatures
    ) internal {
        expectError(IEscrow.NotAValidatorOfTask.selector, taskId, signer);
        if (approved) escrow.approveSubmission(taskId, signatures);
        else escrow.rejectSubmission(taskId, signatures);
    }
}

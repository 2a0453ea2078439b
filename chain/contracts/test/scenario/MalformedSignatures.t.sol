// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import "../utils/Forgeries.sol" as Forgeries;
import {Story} from "../utils/Story.sol";
import {vm} from "../utils/Vm.sol";

/// @dev Attack: a single validator tries to reach the quorum. A signature can be encoded in several
/// ways, and a malformed one can recover to the zero address; each such entry might count as a
/// second vote.
///
/// Defence: each vote has exactly one valid encoding. Signers must be in strictly ascending order,
/// so none counts twice. An entry of 65 bytes is an ECDSA signature with a low s and v of 27 or 28.
/// A longer entry is a contract signature, which is invalid if the account has no code. The zero
/// address is not a validator. Any invalid entry reverts the whole verdict before any money moves.
contract MalformedSignaturesTest is Story {
    uint256 private taskId;
    bytes32 private digest;

    function setUp() public override {
        super.setUp();
        taskId = _disputed(agent);
        digest = escrow.verdictDigest(taskId, true);
    }

    /// @dev After the test, checks that the correctly encoded verdict on the same task pays.
    modifier thenPays() {
        _;
        escrow.approveSubmission(taskId, _signed(digest, QUORUM));
        _assertReleased();
    }

    function test_SameSignerTwice() external thenPays {
        bytes[] memory verdict = _signed(digest, 2);
        verdict[1] = verdict[0];
        _refusesOrder(verdict, 1);
        verdict = _signed(digest, 3);
        verdict[2] = verdict[0];
        _refusesOrder(verdict, 2);
        verdict[2] = verdict[1];
        _refusesOrder(verdict, 2);
    }

    function test_Unordered() external thenPays {
        bytes[] memory verdict = _signed(digest, 2);
        (verdict[0], verdict[1]) = (verdict[1], verdict[0]);
        _refusesOrder(verdict, 1);
        verdict = _signed(digest, 3);
        (verdict[1], verdict[2]) = (verdict[2], verdict[1]);
        _refusesOrder(verdict, 2);
    }

    /// @dev The same signature with a high s is valid on the curve and recovers to the same signer.
    function test_TwinOfASignature() external thenPays {
        _refusesForm(Forgeries.highS);
    }

    function test_TooShort() external thenPays {
        _refusesForm(Forgeries.nothing);
        _refusesForm(Forgeries.firstByte);
        _refusesForm(Forgeries.withoutV);
        _refusesForm(Forgeries.compact);
    }

    function test_OtherRecoveryIds() external thenPays {
        _refusesForm(Forgeries.withParity);
        _refusesForm(Forgeries.withV29);
        _refusesForm(Forgeries.withV255);
    }

    /// @dev Tests signatures that recover to the zero address or contain it as the signer.
    function test_RecoversToZeroAddress() external thenPays {
        _refusesForm(Forgeries.zeros);
        _refusesForm(Forgeries.zeroR);
        _refusesForm(Forgeries.zeroS);
        _refusesForm(Forgeries.asZeroAddresses);
    }

    /// @dev A longer entry is checked by calling a contract. An account without code returns
    /// nothing, and the identity precompile returns its input, which begins with the magic value.
    function test_NoContractSigner() external thenPays {
        _refusesForm(Forgeries.trailingByte);
        _refusesForm(Forgeries.asContracts);
        _refusesForm(Forgeries.asIdentitys);
    }

    /// @dev Applies the encoding to the first and then the second vote, with all other votes valid,
    /// and asserts that the verdict reverts.
    function _refusesForm(function(bytes memory, address) internal pure returns (bytes memory) form)
        private
    {
        for (uint256 place = 0; place < QUORUM; ++place) {
            bytes[] memory verdict = _signed(digest, QUORUM);
            verdict[place] = form(verdict[place], validators[place]);
            _refusesVerdict(
                verdict, abi.encodeWithSelector(IEscrow.InvalidSignature.selector, place)
            );
        }
    }

    function _refusesOrder(bytes[] memory verdict, uint256 index) private {
        _refusesVerdict(
            verdict, abi.encodeWithSelector(IEscrow.SignersNotAscending.selector, index)
        );
    }

    function _refusesVerdict(bytes[] memory verdict, bytes memory reason) private {
        vm.expectRevert(reason);
        _escrowAs(validators[0]).approveSubmission(taskId, verdict);
        _assertBound();
    }
}
